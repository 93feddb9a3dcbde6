/* The 64-bit forms, and min, max and abs of all widths.

   let    n = 300
   in     x = ints(0, 2**64 - 1, n, u8) >> (ints(0, 63, n, u8))
   in     w = ints(0, 2**64 - 1, n, u8)
   out    y = empty((n, 8), u8)
   let    X = x.astype(object)
   let    W = w.astype(object)
   let    S = x.view(i8).astype(object)
   let    T = w.view(i8).astype(object)
   call   bits(x, w, y, n)
   expect y[:, 0] = [bin(v).count("1") for v in X]
   expect y[:, 1] = [64 - v.bit_length() for v in X]
   expect y[:, 2] = [(v & -v).bit_length() for v in X]
   expect y[:, 3] = [int(f"{v:064b}"[::-1], 2) for v in X]
   expect y[:, 4] = wrap((S * T) >> 64, u8)
   expect y[:, 5] = (X * W) >> 64
   expect y[:, 6] = wrap([min(a, b) + max(c, d) for a, b, c, d in zip(S, T, X, W)], u8)
   expect y[:, 7] = wrap([max(a, -a) + max(b, -b) for a, b in zip(T, wrap(X, i4).tolist())], u8)
*/
extern "C" __global__ void bits(const unsigned long long *x, const unsigned long long *w,
                                unsigned long long *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long a = x[i], b = w[i], *p = y + 8 * i;
    long long s = a, t = b;
    p[0] = __popcll(a);
    p[1] = __clzll(s);
    p[2] = __ffsll(s);
    p[3] = __brevll(a);
    p[4] = __mul64hi(s, t);
    p[5] = __umul64hi(a, b);
    p[6] = (unsigned long long)min(s, t) + max(a, b);
    p[7] = llabs(t) + (unsigned)abs((int)a);
}
