/* Discrete distributions, whose tables CURAND's library makes.

   host
   error  * no discrete distributions
*/
#include <curand_kernel.h>

extern "C" __global__ void f(curandState *s, curandDiscreteDistribution_t d, unsigned *y)
{
    y[threadIdx.x] = curand_discrete(s, d);
}
