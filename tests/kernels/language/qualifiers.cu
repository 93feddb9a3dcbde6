/* __restrict__, const, volatile, __launch_bounds__, __noinline__, __host__ __device__, static, typedefs
   and a kernel declared before it is defined.

   block  1 32 100 256
   let    n = 120
   in     x = floats(n)
   inout  y = floats(n)
   call   decorated(x, y, n)
   near   1e-6 y = (x + 1) * (x + 1) + y
*/
typedef float real;
extern "C" __global__ void decorated(const real *__restrict__ x, real *__restrict__ y, const int n);

static __host__ __device__ inline real square(const real v)
{
    return v * v;
}

static __device__ __noinline__ real next(volatile const real *p)
{
    return *p + 1;
}

extern "C" __global__ void __launch_bounds__(256, 2)
    decorated(const real *__restrict__ x, real *__restrict__ y, const int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = square(next(x + i)) + y[i];
}
