/* <curand_kernel.h>: Sobol's sequences of given direction vectors, scrambled too: a word is the xor of
   those that the bits of i ^ i / 2 choose. Four double numbers at a time of Philox.

   block  32 64
   let    n = threads
   def    vectors(bits): return array([1 << (bits - 1 - k) | int(rng.integers(0, 2**62)) << (bits - k) & (2**bits - 1) for k in range(bits)], object)
   let    v32 = vectors(32)
   let    v64 = vectors(64)
   in     a = v32.astype(u4)
   in     b = v64.astype(u8)
   out    x = empty((n, 4), u8)
   out    y = empty((n, 6), f8)
   out    p = empty((n, 2, 12), f8)
   out    same = empty(n, i4)
   out    last = empty((n, 4), u8)
   out    ends = empty((n, 4), f8)
   def    word(v, i):
            r = 0
            for k in range(len(v)):
                r ^= int(v[k]) if (i ^ i >> 1) >> k & 1 else 0
            return r
   def    row(i): return [word(v32, i + 7), word(v32, i + 8) ^ 0x12345678, word(v64, 3 * i), word(v64, 3 * i + 1) ^ 0x123456789abcdef]
   let    wide = array([row(i) for i in range(n)], object)
   def    quantile(q):
            from statistics import NormalDist
            return array([NormalDist().inv_cdf(float(v)) for v in q])
   call   f(a, b, x, y, p, same, ends, last)
   expect x = wide.astype(u8)
   expect y[:, 0] = wide[:, 0].astype(f4) * f4(2**-32) + f4(2**-33)
   expect y[:, 1] = wide[:, 0].astype(f8) * 2.**-32 + 2.**-32
   expect y[:, 2] = array([int(w) >> 32 for w in wide[:, 2]]).astype(f4) * f4(2**-32) + f4(2**-33)
   expect y[:, 3] = array([int(w) >> 11 for w in wide[:, 2]]).astype(f8) * 2.**-53 + 2.**-54
   near   4e-6 y[:, 4] = quantile(wide[:, 0].astype(f8) * 2.**-32 + 2.**-33)
   near   1e-12 y[:, 5] = quantile(wide[:, 0].astype(f8) * 2.**-32 + 2.**-33)
   near   4e-6 ends[:, 0] = quantile(1 - (arange(n) + 0.5) * 2.**-32)
   near   1e-12 ends[:, 1] = quantile(1 - (arange(n) + 0.5) * 2.**-32)
   expect ends[:, 2] = 1 - arange(n) * 2.**-32
   expect isfinite(ends)
   expect same = 1
   expect last = stack([array([word(v32, 2**32 - 1), 0, word(v64, 2**64 - 1), 5], object).astype(u8)] * n)
*/
#include <curand_kernel.h>

extern "C" __global__ void f(unsigned *v32, unsigned long long *v64, unsigned long long *x, double *y, double *p, int *same,
                             double *ends, unsigned long long *last)
{
    int i = threadIdx.x;
    curandStateSobol32 s;
    curandStateScrambledSobol32_t t;
    curandStateSobol64_t u;
    curandStateScrambledSobol64 w;
    curand_init(v32, i + 7, &s);
    curand_init(v32, 0x12345678, i, &t);
    curand_init(v64, 3 * i, &u);
    curand_init(v64, 0x123456789abcdefull, 0, &w);
    skipahead(8, &t);
    skipahead(3 * i, &w);
    curand(&w);
    x += 4 * i, y += 6 * i, p += 24 * i;
    curandStateSobol32 copy = s;
    y[0] = curand_uniform(&copy), copy = s;
    y[1] = curand_uniform_double(&copy), copy = s;
    y[4] = curand_normal(&copy), copy = s;
    y[5] = curand_normal_double(&copy);
    curandStateSobol64 wide = u;
    y[2] = curand_uniform(&wide), wide = u;
    y[3] = curand_uniform_double(&wide);
    x[0] = curand(&s), x[1] = curand(&t), x[2] = curand(&u), x[3] = curand(&w);

    /* The highest words: the first direction vector is the word of place 1. */
    unsigned high[32] = {~(unsigned)i};
    curandStateSobol32 top;
    ends += 4 * i;
    curand_init(high, 1, &top), ends[0] = curand_normal(&top);
    curand_init(high, 1, &top), ends[1] = curand_normal_double(&top);
    curand_init(high, 1, &top), ends[2] = curand_uniform_double(&top);
    curand_init(high, 1, &top), ends[3] = curand_normal(&top);

    /* Numbers begin again behind the last one. */
    last += 4 * i;
    curand_init(v32, ~0u, &s), last[0] = curand(&s), last[1] = curand(&s);
    curand_init(v64, 5, ~0ull, &w), last[2] = curand(&w) ^ 5, last[3] = curand(&w);

    curandStatePhilox4_32_10_t q, r;
    curand_init(5, i, 2, &q);
    r = q;
    auto four = curand_uniform4_double(&q);
    p[0] = four.x, p[1] = four.y, p[2] = four.z, p[3] = four.w;
    double2 one = curand_uniform2_double(&r), other = curand_uniform2_double(&r);
    p[12] = one.x, p[13] = one.y, p[14] = other.x, p[15] = other.y;
    auto normal = curand_normal4_double(&q);
    p[4] = normal.x, p[5] = normal.y, p[6] = normal.z, p[7] = normal.w;
    one = curand_normal2_double(&r), other = curand_normal2_double(&r);
    p[16] = one.x, p[17] = one.y, p[18] = other.x, p[19] = other.y;
    auto log_normal = curand_log_normal4_double(&q, 0.5, 0.25);
    p[8] = log_normal.x, p[9] = log_normal.y, p[10] = log_normal.z, p[11] = log_normal.w;
    one = curand_log_normal2_double(&r, 0.5, 0.25), other = curand_log_normal2_double(&r, 0.5, 0.25);
    p[20] = one.x, p[21] = one.y, p[22] = other.x, p[23] = other.y;
    int all = 1;
    for (int k = 0; k < 12; k++)
        all &= fabs(p[k] - p[12 + k]) <= 1e-15 * fabs(p[k]);
    same[i] = all;
}
