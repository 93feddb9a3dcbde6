/* Bit counts, reversal, byte permutation, high products, averages, sums of differences.

   let    n = 600
   in     x = ints(0, 2**32 - 1, n, u4) >> (ints(0, 32, n, u4) % u4(32))
   in     w = ints(0, 2**32 - 1, n, u4)
   out    y = empty((n, 18), u4)
   let    s = x.view(i4)
   let    t = w.view(i4)
   let    X = x.astype(object)
   let    W = w.astype(object)
   let    S = s.astype(object)
   let    T = t.astype(object)
   def    low24(v): return (v & 0xffffff ^ 0x800000) - 0x800000
   def    perm(a, b, k):
              v = int(b) << 32 | int(a)
              return sum([(v >> (int(k) >> 4 * j & 7) * 8 & 255) << 8 * j for j in range(4)])
   def    bits(v): return int(v).bit_length()
   def    reverse(v): return int(f"{int(v):032b}"[::-1], 2)
   call   bits(x, w, y, n)
   expect y[:, 0] = [bin(v).count("1") for v in X]
   expect y[:, 1] = [32 - bits(v) for v in X]
   expect y[:, 2] = [bits(v & -v) for v in X]
   expect y[:, 3] = [reverse(v) for v in X]
   expect y[:, 4] = [perm(a, b, b >> 7) for a, b in zip(X, W)]
   expect y[:, 5] = wrap((S * T) >> 32, u4)
   expect y[:, 6] = (X * W) >> 32
   expect y[:, 7] = wrap(low24(S) * low24(T), u4)
   expect y[:, 8] = wrap((X & 0xffffff) * (W & 0xffffff), u4)
   expect y[:, 9] = wrap(abs(S - T) + 7, u4)
   expect y[:, 10] = wrap(abs(X - W) + W, u4)
   expect y[:, 11] = wrap((S + T) >> 1, u4)
   expect y[:, 12] = wrap((S + T + 1) >> 1, u4)
   expect y[:, 13] = (X + W) >> 1
   expect y[:, 14] = (X + W + 1) >> 1
   expect y[:, 15] = wrap(((W << 32 | X) << (X & 31)) >> 32, u4)
   expect y[:, 16] = wrap((W << 32 | X) >> (W & 31), u4)
   expect y[:, 17] = maximum(s, t).view(u4) - minimum(x, w)
*/
extern "C" __global__ void bits(const unsigned *x, const unsigned *w, unsigned *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned a = x[i], b = w[i], *p = y + 18 * i;
    int s = a, t = b;
    p[0] = __popc(a);
    p[1] = __clz(s);
    p[2] = __ffs(s);
    p[3] = __brev(a);
    p[4] = __byte_perm(a, b, b >> 7 & 0x7777);
    p[5] = __mulhi(s, t);
    p[6] = __umulhi(a, b);
    p[7] = __mul24(s, t);
    p[8] = __umul24(a, b);
    p[9] = __sad(s, t, 7);
    p[10] = __usad(a, b, b);
    p[11] = __hadd(s, t);
    p[12] = __rhadd(s, t);
    p[13] = __uhadd(a, b);
    p[14] = __urhadd(a, b);
    p[15] = __funnelshift_l(a, b, a);
    p[16] = __funnelshift_r(a, b, b);
    p[17] = max(s, t) - min(a, b);
}
