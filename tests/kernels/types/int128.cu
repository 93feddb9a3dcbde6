/* Integers of 128 bits: in memory, in all operations, out of and into floats, across lanes that part.

   let    n = 200
   in     x = ints(-2**62, 2**62, (n, 2), i8)
   in     k = ints(-70, 70, n, i8)
   out    y = empty((n, 9, 2), u8)
   let    w = [(int(h) << 64) + int(l) % 2**64 for l, h in x.tolist()]
   let    by = [int(v) or 1 for v in k]
   def    quotient(a, b): return max(a, -a) // max(b, -b) * (1 if (a < 0) == (b < 0) else -1)
   def    words(v): return (v % 2**64, (v >> 64) % 2**64)
   def    shift(a, b): return a << b if b >= 0 else a >> -b
   def    row(a, b): return [a * b, a + b, a - b, quotient(a, b), a - quotient(a, b) * b, quotient(a % 2**128, max(b, -b)), shift(a, b), a if b & 1 else b, int(float(a))]
   call   wide(x, k, y, n)
   expect y = array([[words(v) for v in row(a, b)] for a, b in zip(w, by)], u8)
   out    z = empty((3, threads, 2), u8)
   call   backwards[1](z)
   expect z = array([[words(5 - t) for t in range(threads)], [words(2**70 - 3 * t) for t in range(threads)], [words((5 - t) * 2**63) for t in range(threads)]], u8)
*/
extern "C" __global__ void wide(const __int128 *x, const long long *k, __int128 *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __int128 a = x[i], by = k[i] ? k[i] : 1, *r = y + 9 * i;
    r[0] = a * by;
    r[1] = a + by;
    r[2] = a - by;
    r[3] = a / by;
    r[4] = a % by;
    r[5] = (unsigned __int128)a / (unsigned __int128)(by < 0 ? -by : by);
    r[6] = by >= 0 ? a << (int)by : a >> (int)-by;
    if (by & 1)
        r[7] = x[i];
    else
        r[7] = by;
    r[8] = (__int128)(double)a;
}

/* Evenly spaced downwards, past 0 and before and after a barrier. */
extern "C" __global__ void backwards(__int128 *z)
{
    unsigned t = threadIdx.x;
    __int128 small = 5 - (__int128)t, large = ((__int128)1 << 70) - 3 * (__int128)t;
    z[t] = small;
    __syncthreads();
    z[blockDim.x + t] = large;
    z[2 * blockDim.x + t] = small << 63;
}
