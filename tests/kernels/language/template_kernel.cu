/* A kernel template, instantiated for three types and called through plain kernels.

   let    n = 222
   inout  a = floats(n)
   inout  b = floats(n, f8)
   inout  c = ints(-99, 99, n, i2)
   call   scale_float(a, n)
   call   scale_double(b, n)
   call   scale_short(c, n)
   expect a = a * f4(2)
   expect b = b * 3
   expect c = c * 4
*/
template <class T, int FACTOR> __device__ __forceinline__ void scale(T *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= FACTOR;
}

#define KERNEL(NAME, TYPE, FACTOR)                                                                 \
    extern "C" __global__ void NAME(TYPE *p, int n)                                                \
    {                                                                                              \
        scale<TYPE, FACTOR>(p, n);                                                                 \
    }

KERNEL(scale_float, float, 2)
KERNEL(scale_double, double, 3)
KERNEL(scale_short, short, 4)
