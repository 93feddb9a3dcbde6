/* Comparisons that all lanes of a vector may decide alike: each order, strides up and down, ends of the range.

   block  32 100 256
   vary   base = 0, 2**31 - 300, 2**31 - 40, 2**31 + 60, 2**32 - 64
   vary   n = 0, 33, 97, 2**31 - 17, 2**31 - 1, 2**31, 2**32 - 70, 2**32 - 1
   let    grid = 1
   let    t = arange(threads)
   let    u = (base + t) % 2**32
   let    d = (base - 3 * t) % 2**32
   def    s(v): return (v + 2**31) % 2**32 - 2**31
   let    pairs = [(u, n), (s(u), s(n)), (d, n), (s(d), s(n)), (base + t, 2 * n)]
   inout  y = -ones(threads * 20, i4)
   call   orders(u4(base), u4(n), y)
   expect y = array([r for v, m in pairs for r in (v < m, v <= m, v > m, v >= m)]).ravel() * 2 - 1
*/
template <class T> __device__ int *order(T v, T n, int *at)
{
    int step = blockDim.x; /* a load from memory on each way: no select can do it */
    if (v < n)
        at[0] = -at[0];
    if (v <= n)
        at[step] = -at[step];
    if (n < v)
        at[2 * step] = -at[2 * step];
    if (v >= n)
        at[3 * step] = -at[3 * step];
    return at + 4 * step;
}

extern "C" __global__ void orders(unsigned base, unsigned n, int *y)
{
    unsigned t = threadIdx.x, up = base + t, down = base - 3 * t;
    int *at = order<unsigned>(up, n, y + t);
    at = order<int>(up, n, at);
    at = order<unsigned>(down, n, at);
    at = order<int>(down, n, at);
    order<unsigned long long>(base + (unsigned long long)t, 2ull * n, at);
}
