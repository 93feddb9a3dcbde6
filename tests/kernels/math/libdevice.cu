/* A source may declare functions of libdevice, and call them by those names.

   block  64
   let    n = threads
   in     x = floats(n, f4, 0.1, 4)
   out    y = empty((n, 4), f4)
   out    z = empty(n, f8)
   call   f(x, y, z)
   near   1e-5 y[:, 0] = exp(x.astype(f8))
   near   1e-6 y[:, 1] = 1 / sqrt(x.astype(f8))
   near   1e-5 y[:, 2] = power(x.astype(f8), 1.5)
   near   1e-5 y[:, 3] = log(x.astype(f8))
   near   1e-12 z = log1p(x.astype(f8))
   nvcc
*/
extern "C" __device__ float __nv_expf(float);
extern "C" __device__ float __nv_rsqrtf(float);
extern "C" __device__ float __nv_powf(float, float);
extern "C" __device__ float __nv_fast_logf(float);
extern "C" __device__ double __nv_log1p(double);

extern "C" __global__ void f(const float *x, float *y, double *z)
{
    int k = threadIdx.x;
    y[4 * k] = __nv_expf(x[k]);
    y[4 * k + 1] = __nv_rsqrtf(x[k]);
    y[4 * k + 2] = __nv_powf(x[k], 1.5f);
    y[4 * k + 3] = __nv_fast_logf(x[k]);
    z[k] = __nv_log1p(x[k]);
}
