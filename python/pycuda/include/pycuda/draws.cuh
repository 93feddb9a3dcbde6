/* Steps of random generators and Poisson numbers of uniform ones: for random.cuh and
   for the host's <curand_kernel.h>, which name the papers. */
#ifndef PYCUDA_DRAWS_CUH
#define PYCUDA_DRAWS_CUH

namespace pycuda
{

__device__ __forceinline__ void xorshift(unsigned (&v)[5])
{
    unsigned t = v[0] ^ v[0] >> 2, last = v[4];
    v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = last;
    v[4] = last ^ last << 4 ^ t ^ t << 1;
}

/* x modulo 2^32 - c, c < 2^15. */
__device__ __forceinline__ unsigned modulo(unsigned long long x, unsigned c)
{
    x = (x >> 32) * c + (unsigned)x;
    x = (x >> 32) * c + (unsigned)x;
    return (unsigned)((x + c) >> 32 ? x + c : x);
}

/* MRG32k3a: recurrences modulo 2^32 - 209 and 2^32 - 22853, oldest first. From 1 to
   2^32 - 209. */
__device__ __forceinline__ unsigned mrg_step(unsigned *x, unsigned *y)
{
    unsigned a = modulo(1403580ull * x[1] + 810728ull * (0u - 209 - x[0]), 209);
    unsigned b = modulo(527612ull * y[2] + 1370589ull * (0u - 22853 - y[0]), 22853);
    x[0] = x[1], x[1] = x[2], x[2] = a;
    y[0] = y[1], y[1] = y[2], y[2] = b;
    return a > b ? a - b : a - b - 209;
}

/* Small means by multiplying uniform numbers (Knuth), others by transformed rejection
   (Hoermann, "The transformed rejection method for generating Poisson random
   variables", Insurance: Mathematics and Economics 12, 1993: PTRS). u: a number from 0
   to 1, v: one that is not 0. */
template <class U, class V>
__device__ __forceinline__ double poisson_of(double mean, U u, V v)
{
    if (mean < 10) {
        double product = 1, limit = ::exp(-mean), k = -1;
        do {
            product *= v();
            k++;
        } while (product > limit);
        return k;
    }
    if (!(mean < 1e308)) /* infinity and NaN, of which all tests below are false */
        return mean;
    double root = ::sqrt(mean), b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
    double alpha = 1.1239 + 1.1328 / (b - 3.4), sure = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        double x = u() - 0.5, y = v();
        double us = 0.5 - ::fabs(x), k = ::floor((2 * a / us + b) * x + mean + 0.43);
        if (us >= 0.07 && y <= sure)
            return k;
        if (k < 0 || (us < 0.013 && y > us))
            continue;
        if (::log(y * alpha / (a / (us * us) + b)) <=
            k * ::log(mean) - mean - ::lgamma(k + 1))
            return k;
    }
}

} // namespace pycuda

#endif
