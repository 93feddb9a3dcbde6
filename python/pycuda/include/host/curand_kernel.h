/* The device functions of CURAND's <curand_kernel.h> for XORWOW, MRG32k3a,
   Philox4x32-10 and Sobol's sequences: the same words for a seed, subsequence and
   offset as on a GPU, and uniform numbers to the bit; normal ones differ from a GPU's
   by the rounding of logarithm and sine, Poisson ones are made in another way. States
   have CURAND's sizes. What needs tables that CURAND's library makes on the host
   (discrete distributions, MTGP32) is not here.

   XORWOW: Marsaglia, "Xorshift RNGs", J. Stat. Software 8(14), 2003. MRG32k3a:
   L'Ecuyer, "Good Parameters and Implementations for Combined Multiple Recursive Random
   Number Generators", Operations Research 47(1), 1999. Philox: Salmon, Moraes, Dror,
   Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011. */
#ifndef HOSTCC_CURAND_KERNEL_H
#define HOSTCC_CURAND_KERNEL_H
#include "../pycuda/letters_aside.cuh"

#define __HC_CALL __HC __noinline__

extern "C++" {

#include "../pycuda/draws.cuh"

/* What is left of a pair of normal numbers. */
#define __HC_SPARE                                                    \
    int boxmuller_flag, boxmuller_flag_double; /* 0: there is none */ \
    float boxmuller_extra;                                            \
    double boxmuller_extra_double

typedef struct curandStateXORWOW {
    unsigned d, v[5];
    __HC_SPARE;
} curandStateXORWOW_t, curandState_t, curandState;

typedef struct curandStateMRG32k3a {
    unsigned s1[3], s2[3]; /* oldest first */
    __HC_SPARE;
} curandStateMRG32k3a_t;

typedef struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned STATE; /* the next word of output */
    __HC_SPARE;
} curandStatePhilox4_32_10_t;

#undef __HC_SPARE

/* -- XORWOW -- */

__HC unsigned curand(curandStateXORWOW_t *state)
{
    pycuda::xorshift(state->v);
    return state->v[4] + (state->d += 362437);
}

/* A polynomial over GF(2) below degree 160, modulo the recurrence's characteristic one:
   x to the power n stands for n steps. */
struct __hc_polynomial {
    unsigned a[5];
};

__HC_CALL __hc_polynomial __hc_times(const __hc_polynomial &p, const __hc_polynomial &q)
{
    unsigned s[5] = {0, 0, 0, 0, 0};
    for (int k = 4; k >= 0; k--)
        for (int bit = 31; bit >= 0; bit--) {
            unsigned over = 0u - (s[4] >> 31), take = 0u - (q.a[k] >> bit & 1);
            for (int w = 4; w > 0; w--)
                s[w] = (s[w] << 1 | s[w - 1] >> 31) ^ (take & p.a[w]);
            s[0] = s[0] << 1 ^ (take & p.a[0]) ^ (over & 0x60001);
            s[1] ^= over & 0x8610030, s[2] ^= over & 0x62121;
            s[3] ^= over & 0xf3c0035, s[4] ^= over & 0xf0e;
        }
    return {{s[0], s[1], s[2], s[3], s[4]}};
}

/* v after base^n. */
__HC_CALL void __hc_xorshift_jump(unsigned (&v)[5], __hc_polynomial base,
                                  unsigned long long n)
{
    __hc_polynomial power = {{1, 0, 0, 0, 0}};
    for (; n; n >>= 1) {
        if (n & 1)
            power = __hc_times(power, base);
        if (n > 1)
            base = __hc_times(base, base);
    }
    unsigned sum[5] = {0, 0, 0, 0, 0};
    for (int k = 4; k >= 0; k--)
        for (int bit = 31; bit >= 0; bit--) {
            pycuda::xorshift(sum);
            for (int w = 0; w < 5; w++)
                sum[w] ^= 0u - (power.a[k] >> bit & 1) & v[w];
        }
    for (int w = 0; w < 5; w++)
        v[w] = sum[w];
}

__HC void skipahead(unsigned long long n, curandStateXORWOW_t *state)
{
    state->d += 362437 * (unsigned)n;
    if (n < 1000)
        for (; n; n--)
            pycuda::xorshift(state->v);
    else
        __hc_xorshift_jump(state->v, {{2, 0, 0, 0, 0}}, n);
}

/* 2^67 words each */
__HC void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state)
{
    if (n)
        __hc_xorshift_jump(
            state->v, {{0x26294934, 0x77bbc248, 0x1a87dad0, 0x930052d4, 0x947e6dd2}},
            n);
}

__HC void curand_init(unsigned long long seed, unsigned long long subsequence,
                      unsigned long long offset, curandStateXORWOW_t *state)
{
    unsigned low = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
    unsigned high = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
    *state = {6615241 + high + low,
              {123456789 + low, 362436069 ^ low, 521288629 + high, 88675123 ^ high,
               5783321 + low}};
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}

/* -- MRG32k3a -- */

__HC unsigned curand(curandStateMRG32k3a_t *state)
{
    return (unsigned)(1.000000048662 * pycuda::mrg_step(state->s1, state->s2));
}

/* a = a b */
__HC_CALL void __hc_mrg_multiply(unsigned (&a)[3][3], const unsigned (&b)[3][3],
                                 unsigned c)
{
    for (int i = 0; i < 3; i++) {
        unsigned row[3] = {a[i][0], a[i][1], a[i][2]};
        for (int j = 0; j < 3; j++) {
            unsigned long long sum = 0;
            for (int k = 0; k < 3; k++)
                sum += pycuda::modulo((unsigned long long)row[k] * b[k][j], c);
            a[i][j] = pycuda::modulo(sum, c);
        }
    }
}

/* x after n * 2^exponent steps of one recurrence. */
__HC_CALL void __hc_mrg_jump(unsigned (&x)[3], unsigned a0, unsigned a1, unsigned a2,
                             unsigned c, unsigned long long n, int exponent)
{
    unsigned base[3][3] = {{0, 1, 0}, {0, 0, 1}, {a0, a1, a2}};
    unsigned power[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (; n; exponent ? exponent-- : n >>= 1) {
        if (exponent == 0 && (n & 1))
            __hc_mrg_multiply(power, base, c);
        unsigned copy[3][3];
        for (int k = 0; k < 9; k++)
            copy[k / 3][k % 3] = base[k / 3][k % 3];
        __hc_mrg_multiply(base, copy, c);
    }
    unsigned y[3] = {x[0], x[1], x[2]};
    for (int i = 0; i < 3; i++) {
        unsigned long long sum = 0;
        for (int k = 0; k < 3; k++)
            sum += pycuda::modulo((unsigned long long)power[i][k] * y[k], c);
        x[i] = pycuda::modulo(sum, c);
    }
}

__HC void __hc_mrg_skip(unsigned long long n, int exponent,
                        curandStateMRG32k3a_t *state)
{
    if (n) {
        __hc_mrg_jump(state->s1, 0u - 209 - 810728, 1403580, 0, 209, n, exponent);
        __hc_mrg_jump(state->s2, 0u - 22853 - 1370589, 0, 527612, 22853, n, exponent);
    }
}
__HC void skipahead(unsigned long long n, curandStateMRG32k3a_t *state)
{
    __hc_mrg_skip(n, 0, state);
}
__HC void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
    __hc_mrg_skip(n, 76, state);
}
__HC void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
    __hc_mrg_skip(n, 127, state);
}

__HC void curand_init(unsigned long long seed, unsigned long long subsequence,
                      unsigned long long offset, curandStateMRG32k3a_t *state)
{
    *state = {{12345, 12345, 12345}, {12345, 12345, 12345}};
    if (seed) {
        unsigned x = (unsigned)seed ^ 0x55555555u;
        unsigned y = (unsigned)(seed >> 32) ^ 0xaaaaaaaau;
        const unsigned by[2][3] = {{x, y, x}, {y, x, y}};
        for (int k = 0; k < 3; k++) {
            state->s1[k] = pycuda::modulo(12345ull * by[0][k], 209);
            state->s2[k] = pycuda::modulo(12345ull * by[1][k], 22853);
        }
    }
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
}

/* -- Philox4x32-10 -- */

__HC uint4 __hc_philox(uint4 c, uint2 key)
{
    for (int k = 0; k < 10; k++) {
        unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
        c = {(unsigned)(b >> 32) ^ c.y ^ key.x, (unsigned)b,
             (unsigned)(a >> 32) ^ c.w ^ key.y, (unsigned)a};
        key.x += 0x9e3779b9, key.y += 0xbb67ae85;
    }
    return c;
}

/* Adds to the counter's low half; what goes over is carried to the high half. */
__HC void __hc_philox_skip(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    uint4 &c = state->ctr;
    unsigned long long low = ((unsigned long long)c.y << 32 | c.x) + n;
    c.x = (unsigned)low, c.y = (unsigned)(low >> 32);
    if (low < n && !++c.z)
        ++c.w;
    state->output = __hc_philox(c, state->key);
}
__HC void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    unsigned at = state->STATE + (unsigned)(n & 3);
    state->STATE = at & 3;
    if ((n >>= 2) + (at >> 2))
        __hc_philox_skip(n + (at >> 2), state);
}
/* 2^66 words each */
__HC void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    uint4 &c = state->ctr;
    unsigned long long high = ((unsigned long long)c.w << 32 | c.z) + n;
    c.z = (unsigned)high, c.w = (unsigned)(high >> 32);
    state->output = __hc_philox(c, state->key);
}

__HC void curand_init(unsigned long long seed, unsigned long long subsequence,
                      unsigned long long offset, curandStatePhilox4_32_10_t *state)
{
    *state = {};
    state->key = {(unsigned)seed, (unsigned)(seed >> 32)};
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}

__HC unsigned curand(curandStatePhilox4_32_10_t *state)
{
    const uint4 &o = state->output;
    unsigned at = state->STATE, word = at == 0   ? o.x
                                       : at == 1 ? o.y
                                       : at == 2 ? o.z
                                                 : o.w;
    skipahead(1, state);
    return word;
}

/* The next four words, wherever they start. */
__HC uint4 curand4(curandStatePhilox4_32_10_t *state)
{
    uint4 a = state->output;
    __hc_philox_skip(1, state);
    uint4 b = state->output;
    switch (state->STATE) {
    case 0:
        return a;
    case 1:
        return {a.y, a.z, a.w, b.x};
    case 2:
        return {a.z, a.w, b.x, b.y};
    default:
        return {a.w, b.x, b.y, b.z};
    }
}

/* -- Sobol's sequences: a word is the xor of the direction vectors that the bits of
   Gray's code of its number choose; scrambled, with a word that the program chooses --
 */

typedef unsigned curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
template <class W, bool is_scrambled> struct __hc_sobol {
    W i, x, c, direction_vectors[8 * sizeof(W)];
};
/* Structs, as sources may declare them, and kernels' names have them. */
typedef struct curandStateSobol32 : __hc_sobol<unsigned, false> {
} curandStateSobol32_t;
typedef struct curandStateScrambledSobol32 : __hc_sobol<unsigned, true> {
} curandStateScrambledSobol32_t;
typedef struct curandStateSobol64 : __hc_sobol<__hc_ull, false> {
} curandStateSobol64_t;
typedef struct curandStateScrambledSobol64 : __hc_sobol<__hc_ull, true> {
} curandStateScrambledSobol64_t;
#define __HC_SOBOL template <class W, bool scrambled> __HC
#define __HC_OTHERS template <class S, class = decltype(S::boxmuller_flag)> __HC

__HC_SOBOL void skipahead(typename __hc_same<W>::type n, __hc_sobol<W, scrambled> *s)
{
    W before = s->i ^ s->i >> 1, after = (s->i + n) ^ (s->i + n) >> 1;
    s->i += n;
    for (unsigned k = 0; k < 8 * sizeof(W); k++)
        s->x ^= (before ^ after) >> k & 1 ? s->direction_vectors[k] : 0;
}
__HC_SOBOL void __hc_sobol_init(const W *vectors, W scramble, W offset,
                                __hc_sobol<W, scrambled> *s)
{
    s->i = 0, s->x = s->c = scramble;
    for (unsigned k = 0; k < 8 * sizeof(W); k++)
        s->direction_vectors[k] = vectors[k];
    skipahead(offset, s);
}
template <class W>
__HC void curand_init(const W *vectors, typename __hc_same<W>::type offset,
                      __hc_sobol<W, false> *s)
{
    __hc_sobol_init<W>(vectors, 0, offset, s);
}
template <class W>
__HC void curand_init(const W *vectors, typename __hc_same<W>::type scramble,
                      typename __hc_same<W>::type offset, __hc_sobol<W, true> *s)
{
    __hc_sobol_init<W>(vectors, scramble, offset, s);
}
__HC_SOBOL W curand(__hc_sobol<W, scrambled> *s)
{
    W x = s->x, zeros = ~s->i++; /* where i has zeros; behind the last number comes 0 */
    s->x ^= s->direction_vectors[zeros ? __builtin_ctzll(zeros) : 8 * sizeof(W) - 1];
    return x;
}
/* -- Uniform numbers, in (0, 1] -- */

__HC float __hc_uniform(unsigned x) { return x * 0x1p-32f + 0x1p-33f; }
__HC double __hc_uniform(unsigned x, unsigned y)
{
    return (x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}

/* A double number of one word: CURAND adds the whole unit, so that 1 is among them. */
__HC double __hc_uniform_double(unsigned x) { return x * 0x1p-32 + 0x1p-32; }

#define __HC_MRG_UNIT (1.0 / 4294967087)

__HC_OTHERS float curand_uniform(S *state) { return __hc_uniform(curand(state)); }
__HC float curand_uniform(curandStateMRG32k3a_t *state)
{
    return (float)(pycuda::mrg_step(state->s1, state->s2) * __HC_MRG_UNIT);
}
__HC_OTHERS double curand_uniform_double(S *state)
{
    unsigned x = curand(state);
    return __hc_uniform(x, curand(state));
}
__HC double curand_uniform_double(curandStateMRG32k3a_t *state)
{
    return pycuda::mrg_step(state->s1, state->s2) * __HC_MRG_UNIT;
}
__HC double curand_uniform_double(curandStatePhilox4_32_10_t *state)
{
    return __hc_uniform_double(curand(state));
}
__HC float4 curand_uniform4(curandStatePhilox4_32_10_t *state)
{
    uint4 x = curand4(state);
    return {__hc_uniform(x.x), __hc_uniform(x.y), __hc_uniform(x.z), __hc_uniform(x.w)};
}
__HC_SOBOL float curand_uniform(__hc_sobol<W, scrambled> *s)
{
    return __hc_uniform((unsigned)(curand(s) >> (8 * sizeof(W) - 32)));
}
__HC_SOBOL double curand_uniform_double(__hc_sobol<W, scrambled> *s)
{
    W x = curand(s);
    return sizeof x == 4 ? __hc_uniform_double((unsigned)x)
                         : ((__hc_ull)x >> 11) * 0x1p-53 + 0x1p-54;
}
__HC double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state)
{
    uint4 x = curand4(state);
    return {__hc_uniform(x.x, x.y), __hc_uniform(x.z, x.w)};
}

/* -- Normal numbers: Box and Muller's pairs -- */

__HC float2 __hc_normal(unsigned x, unsigned y)
{
    float radius = sqrtf(-2 * logf(__hc_uniform(x))), sine, cosine;
    sincosf((y * 0x1p-32f + 0x1p-33f) * 6.2831855f, &sine, &cosine);
    return {sine * radius, cosine * radius};
}
__HC double2 __hc_normal(uint4 x)
{
    double radius = sqrt(-2 * log(__hc_uniform(x.x, x.y))), sine, cosine;
    sincospi(2 * __hc_uniform(x.z, x.w), &sine, &cosine);
    return {sine * radius, cosine * radius};
}
/* Four words one by one: curand4 for any state. */
template <class S> __HC uint4 __hc_words(S *state)
{
    unsigned x = curand(state), y = curand(state), z = curand(state);
    return {x, y, z, curand(state)};
}

template <class S> __HC float2 curand_normal2(S *state)
{
    unsigned x = curand(state);
    return __hc_normal(x, curand(state));
}
__HC float2 curand_normal2(curandStateMRG32k3a_t *state)
{
    float radius = sqrtf(-2 * logf(curand_uniform(state))), sine, cosine;
    sincosf(curand_uniform(state) * 6.2831855f, &sine, &cosine);
    return {sine * radius, cosine * radius};
}
template <class S> __HC double2 curand_normal2_double(S *state)
{
    return __hc_normal(__hc_words(state));
}
__HC double2 curand_normal2_double(curandStateMRG32k3a_t *state)
{
    double radius = sqrt(-2 * log(curand_uniform_double(state))), sine, cosine;
    sincospi(2 * curand_uniform_double(state), &sine, &cosine);
    return {sine * radius, cosine * radius};
}
__HC float4 curand_normal4(curandStatePhilox4_32_10_t *state)
{
    uint4 x = curand4(state);
    float2 a = __hc_normal(x.x, x.y), b = __hc_normal(x.z, x.w);
    return {a.x, a.y, b.x, b.y};
}

__HC double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state)
{
    double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
    return {a.x, a.y, b.x, b.y};
}
__HC double4 curand_normal4_double(curandStatePhilox4_32_10_t *state)
{
    double2 a = __hc_normal(curand4(state)), b = __hc_normal(curand4(state));
    return {a.x, a.y, b.x, b.y};
}
/* Of a Sobol sequence, which must not lose its order: the quantile, of the upper half by
   its mirror image, since numbers just below 1 are not told apart. */
__HC float __hc_quantile(unsigned x)
{
    bool is_upper = x > 0x80000000u;
    float z = normcdfinvf(__hc_uniform(is_upper ? ~x : x));
    return is_upper ? -z : z;
}
__HC double __hc_quantile(__hc_ull x, int bits)
{
    bool is_upper = x > 1ull << (bits - 1);
    __hc_ull lower = is_upper ? (1ull << bits) - 1 - x : x;
    double unit = bits == 32 ? 0x1p-32 : 0x1p-53, z = normcdfinv(lower * unit + unit / 2);
    return is_upper ? -z : z;
}
__HC_SOBOL float curand_normal(__hc_sobol<W, scrambled> *s)
{
    return __hc_quantile((unsigned)(curand(s) >> (8 * sizeof(W) - 32)));
}
__HC_SOBOL double curand_normal_double(__hc_sobol<W, scrambled> *s)
{
    W x = curand(s);
    return sizeof x == 4 ? __hc_quantile(x, 32) : __hc_quantile((__hc_ull)x >> 11, 53);
}
__HC_SOBOL float curand_log_normal(__hc_sobol<W, scrambled> *s, float mean,
                                   float stddev)
{
    return expf(mean + stddev * curand_normal(s));
}
__HC_SOBOL double curand_log_normal_double(__hc_sobol<W, scrambled> *s, double mean,
                                           double stddev)
{
    return exp(mean + stddev * curand_normal_double(s));
}

template <class S> __HC float2 curand_log_normal2(S *state, float mean, float stddev)
{
    float2 x = curand_normal2(state);
    return {expf(mean + stddev * x.x), expf(mean + stddev * x.y)};
}
template <class S>
__HC double2 curand_log_normal2_double(S *state, double mean, double stddev)
{
    double2 x = curand_normal2_double(state);
    return {exp(mean + stddev * x.x), exp(mean + stddev * x.y)};
}
/* A pair's second number waits for a call of the same function: flag 1 curand_normal,
   2 curand_log_normal. */
#define __HC_ONE(T, name, flag, extra, which, parameters, pair) \
    __HC_OTHERS T name parameters                               \
    {                                                           \
        if (state->flag == which) {                             \
            state->flag = 0;                                    \
            return state->extra;                                \
        }                                                       \
        T##2 x = pair;                                          \
        state->flag = which;                                    \
        state->extra = x.y;                                     \
        return x.x;                                             \
    }
__HC_ONE(float, curand_normal, boxmuller_flag, boxmuller_extra, 1, (S * state),
         curand_normal2(state))
__HC_ONE(float, curand_log_normal, boxmuller_flag, boxmuller_extra, 2,
         (S * state, float mean, float stddev), curand_log_normal2(state, mean, stddev))
__HC_ONE(double, curand_normal_double, boxmuller_flag_double, boxmuller_extra_double, 1,
         (S * state), curand_normal2_double(state))
__HC_ONE(double, curand_log_normal_double, boxmuller_flag_double,
         boxmuller_extra_double, 2, (S * state, double mean, double stddev),
         curand_log_normal2_double(state, mean, stddev))
#undef __HC_ONE

__HC float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean,
                               float stddev)
{
    float4 x = curand_normal4(state);
    return {expf(mean + stddev * x.x), expf(mean + stddev * x.y),
            expf(mean + stddev * x.z), expf(mean + stddev * x.w)};
}

__HC double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state, double mean,
                                       double stddev)
{
    double4 x = curand_normal4_double(state);
    return {exp(mean + stddev * x.x), exp(mean + stddev * x.y),
            exp(mean + stddev * x.z), exp(mean + stddev * x.w)};
}

#undef __HC_SOBOL
#undef __HC_OTHERS

/* -- Discrete distributions: not here -- */

typedef struct curandDiscreteDistribution_st *curandDiscreteDistribution_t;
template <class S>
__attribute__((unavailable("the host device has no discrete distributions: CURAND's "
                           "library makes their tables"))) __HC unsigned
curand_discrete(S *state, curandDiscreteDistribution_t);

/* -- Poisson numbers -- */

template <class S> __HC_CALL unsigned curand_poisson(S *state, double mean)
{
    auto uniform = [&] { return curand_uniform_double(state); };
    return (unsigned)pycuda::poisson_of(mean, uniform, uniform);
}
__HC uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double mean)
{
    unsigned x = curand_poisson(state, mean), y = curand_poisson(state, mean);
    unsigned z = curand_poisson(state, mean);
    return {x, y, z, curand_poisson(state, mean)};
}

} /* extern "C++" */

#include "../pycuda/letters_back.cuh"

#endif
