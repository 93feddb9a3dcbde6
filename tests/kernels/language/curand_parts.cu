/* The headers that <curand_kernel.h> is made of may be included behind it.

   nvcc
   block  1 33
   let    grid = 1
   out    x = empty(threads, u4)
   out    y = empty(threads, u4)
   call   draw(x, y)
   expect x == y
*/
#include <curand_kernel.h>
#include <curand_normal.h>
#include <curand_philox4x32_x.h>
#include <curand_uniform.h>

extern "C" __global__ void draw(unsigned *x, unsigned *y)
{
    curandStatePhilox4_32_10_t a, b;
    curand_init(7, threadIdx.x, 0, &a);
    curand_init(7, threadIdx.x, 0, &b);
    x[threadIdx.x] = curand4(&a).x;
    y[threadIdx.x] = curand(&b);
}
