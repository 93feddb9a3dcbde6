/* Clamped indices of elements of 1, 2, 8 and 16 bytes, of members of structures, and as 64 bits.

   vary   n = 1, 15, 100, 1000
   in     b = ints(-99, 99, n, i1)
   in     h = ints(-99, 99, n, i2)
   in     d = ints(-99, 99, n).astype(f8)
   in     q = ints(-99, 99, (n, 4)).astype(f4)
   out    y = empty((6, n), f8)
   call   f(b, h, d, q, y, n)
   let    i = arange(n)
   let    before = maximum(i - 1, 0)
   let    after = minimum(i + 1, n - 1)
   expect y = array([b[before].astype(f8) + b[after], h[before].astype(f8) + h[after], d[before] + d[after],
                     (q[before] * [1, 2, 4, 8]).sum(1), q[after, 0] - q[after, 3], d[before] * d[after]])
*/
extern "C" __global__ void f(const signed char *b, const short *h, const double *d, const float4 *q, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int before = max(i - 1, 0), after = min(i + 1, n - 1);
    long long far = i;
    y[i] = b[before] + b[after];
    y[n + i] = h[before] + h[after];
    y[2 * n + i] = d[before] + d[after];
    float4 v = q[before];
    y[3 * n + i] = v.x + 2 * v.y + 4 * v.z + 8 * v.w;
    y[4 * n + i] = q[after].x - q[after].w;
    y[5 * n + i] = d[far > 0 ? far - 1 : 0] * d[far < n - 1 ? far + 1 : n - 1];
}
