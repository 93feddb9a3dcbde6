/* _BitInt of odd widths, which clang has: in memory, in arithmetic that wraps around, across barriers and lanes that part.

   host
   block  1 8 32 100
   let    n = 2 * threads
   in     x = ints(-2**62, 2**62, (n, 2), i8)
   inout  small = ints(0, 2**31 - 1, n, u4)
   inout  large = ints(0, 2**62, n, u8)
   out    y = empty((n, 6), i8)
   def    cut(v, bits): return (v + 2**(bits - 1)) % 2**bits - 2**(bits - 1)
   let    w = [(int(a), int(b)) for a, b in x]
   let    last = [i // threads * threads + threads - 1 - i % threads for i in range(n)]
   call   odd[2](x, small, large, y)
   expect y[:, 0] = [cut(a, 24) for a, b in w]
   expect y[:, 1] = [cut(a * b, 41) for a, b in w]
   expect y[:, 2] = [(a % 2**24) // (b % 2**24 or 1) for a, b in w]
   expect y[:, 3] = [cut(w[k][0], 48) if i % 3 else cut(w[k][1], 48) for i, k in enumerate(last)]
   expect y[:, 4] = [cut(a, 7) * 1000 + (b % 2**5) for a, b in w]
   expect y[:, 5] = [cut(a << 64 | b % 2**64, 100) >> 70 for a, b in w]
   expect small & u4(2**24 - 1) = [(int(s) + 2**24 - 5) % 2**24 for s in small]
   expect large & u8(2**41 - 1) = [int(s) * 3 % 2**41 for s in large]
*/
typedef _BitInt(24) i24;
typedef unsigned _BitInt(24) u24;
typedef _BitInt(41) i41;
typedef unsigned _BitInt(41) u41;
typedef _BitInt(48) i48;

extern "C" __global__ void odd(const long long *x, u24 *small, u41 *large, long long *y)
{
    __shared__ i48 s[128];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    long long a = x[2 * i], b = x[2 * i + 1], *r = y + 6 * i;
    i41 product = (i41)(u41)((u41)a * (u41)b);
    small[i] -= 5;
    large[i] *= 3;
    s[t] = i % 2 ? 0 : (i48)1;
    __syncthreads();
    i48 mine = (blockDim.x - 1 - t + blockIdx.x * blockDim.x) % 3 ? (i48)a : (i48)b;
    s[t] = mine;
    __syncthreads();
    u24 divisor = (u24)b;
    _BitInt(7) seven = (_BitInt(7))a;
    unsigned _BitInt(5) five = (unsigned _BitInt(5))b;
    _BitInt(100) wide = (_BitInt(100))a << 64 | (unsigned long long)b;
    r[0] = (i24)a;
    r[1] = product;
    r[2] = (u24)a / (divisor ? divisor : (u24)1);
    r[3] = s[blockDim.x - 1 - t];
    r[4] = seven * 1000ll + five;
    r[5] = (long long)(wide >> 70);
}
