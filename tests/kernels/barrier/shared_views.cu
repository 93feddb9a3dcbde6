/* Dynamic shared memory of several types behind one another, with a static part, a namespace, and template variables.

   block  32 96
   let    n = bx
   let    grid = 3
   in     x = floats((3, bx), f8)
   out    y = empty((3, bx), f8)
   out    z = empty((3, bx), i4)
   global scale = array([2, 3], f4)
   call   f[grid, bx, bx * 8 + bx * 4 + bx * 2 + bx](x, y, z)
   expect y = x[:, ::-1] * 2 + roll(x, 1, 1).astype(f4)
   expect z = tile(arange(bx) + (arange(bx)[::-1] & 255) + 3, (3, 1))
*/
extern "C" {
__constant__ float scale[2];
}
namespace part
{
struct view {
    double *d;
    float *f;
    short *s;
    unsigned char *b;
};
__device__ view split(int n)
{
    extern __shared__ __align__(16) unsigned char pool[];
    view v;
    v.d = (double *)pool;
    v.f = (float *)(v.d + n);
    v.s = (short *)&v.f[n];
    v.b = (unsigned char *)(v.s + n);
    return v;
}
} // namespace part
template <int K> __device__ int start = K;
extern "C" __global__ void f(const double *x, double *y, int *z)
{
    __shared__ int last;
    int t = threadIdx.x, n = blockDim.x;
    auto v = part::split(n);
    double mine = x[blockIdx.x * n + t];
    v.d[t] = mine;
    v.f[t] = mine;
    v.s[t] = t;
    v.b[t] = n - 1 - t;
    if (t == n - 1)
        last = start<3>;
    __syncthreads();
    y[blockIdx.x * n + t] = v.d[n - 1 - t] * scale[0] + v.f[(t + n - 1) % n];
    z[blockIdx.x * n + t] = v.s[t] + v.b[t] + last;
}
