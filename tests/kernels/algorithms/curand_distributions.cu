/* <curand_kernel.h>: distributions of three generators by their first values, as on a GPU, and by their means.

   slow
   block  1
   out    d = empty((3, 12), f8)
   call   first[1, 1](d)
   near 2e-6 d = [[0.041652385199332398, 0.97003621955737529, 0.119978219, 0.447925091, -0.0194818433,
                   -0.47187492331257763, 2.4767170499240874, 1.1951820299860183, 1.69892299, 1.84408128, 2128083817, 1],
                  [0.49091321476755245, 0.30199870074114959, 1.12978292, -0.38283965, 0.389722228,
                   1.1297829689864336, -0.38283975839795847, 0.38972236373693114, 2.18681407, 1.49823844, 3014704278, 1],
                  [0.080896356608718634, 0.94450908480212092, -0.766151905, 2.10764909, 0.58723712,
                   0.24804773418983569, -0.22946099880400608, -1.0513286683825351, 1.36132979, 2.79243016, 1240162304, 1]]
   out    four = empty(8, f8)
   call   fours[1, 1](four)
   expect four = [347447205, 4056635629, 3118866465, 1584017598,
                  0.94450904630956667, 0.36880811704122979, 0.56062711806862353, 0.78402818253738582]
   let    n = 4096
   out    m = empty((n, 6), f4)
   call   means[(n // 256, 1), (256, 1, 1)](m)
   expect abs(m.mean(0) - array([0.5, 0, exp(0.5 + 0.03125), 3, 9.5, 1000])) < array([0.01, 0.02, 0.02, 0.05, 0.1, 1])
   expect abs(m.var(0) - array([1 / 12, 1, (exp(0.0625) - 1) * exp(1.0625), 3, 9.5, 1000])) < (
          array([0.002, 0.04, 0.01, 0.15, 0.5, 50]))
*/
#include <curand_kernel.h>

template <class S> __device__ void first_of(double *d)
{
    S s;
    curand_init(1234, 3, 5, &s);
    d[0] = curand_uniform_double(&s);
    d[1] = curand_uniform_double(&s);
    curand_init(1234, 3, 5, &s);
    for (int k = 2; k < 5; k++)
        d[k] = curand_normal(&s);
    d[10] = curand(&s);
    curand_init(1234, 3, 5, &s);
    for (int k = 5; k < 8; k++)
        d[k] = curand_normal_double(&s);
    curand_init(1234, 3, 5, &s);
    d[8] = curand_log_normal(&s, 0.5f, 0.25f);
    d[9] = curand_log_normal(&s, 0.5f, 0.25f);
    curand_init(1234, 3, 5, &s); /* what waits for one function is not for another */
    curand_normal(&s);
    float b = curand_log_normal(&s, 0.5f, 0.25f);
    curand_init(1234, 3, 5, &s);
    curand_normal(&s);
    curand_normal(&s);
    d[11] = b == curand_log_normal(&s, 0.5f, 0.25f);
}
extern "C" __global__ void first(double *d)
{
    first_of<curandState>(d);
    first_of<curandStateMRG32k3a_t>(d + 12);
    first_of<curandStatePhilox4_32_10_t>(d + 24);
}

extern "C" __global__ void fours(double *d)
{
    curandStatePhilox4_32_10_t s;
    curand_init(1234, 3, 5, &s);
    uint4 x = curand4(&s);
    d[0] = x.x, d[1] = x.y, d[2] = x.z, d[3] = x.w;
    curand_init(1234, 3, 5, &s);
    double2 y = curand_uniform2_double(&s);
    d[4] = y.x, d[5] = y.y;
    y = curand_uniform2_double(&s);
    d[6] = y.x, d[7] = y.y;
}

extern "C" __global__ void means(float *m)
{
    curandState s;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(7, i, 0, &s);
    m += 6 * i;
    m[0] = curand_uniform(&s);
    m[1] = curand_normal(&s);
    m[2] = curand_log_normal(&s, 0.5f, 0.25f);
    m[3] = curand_poisson(&s, 3);
    m[4] = curand_poisson(&s, 9.5);
    m[5] = curand_poisson(&s, 1000);
}
