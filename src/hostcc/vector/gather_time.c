/* Whether this processor gathers faster than it loads lane by lane: measured. On AMD's
   Zen 5 a gather takes longer than its loads, on an Intel Xeon it took a third of
   them; and there microcode against CVE-2022-40982 makes gathers several times slower,
   which neither the processor's name nor, in a virtual machine, the system tells. So
   both are run, which takes some microseconds, on 8 lanes: every processor that gathers
   has those. Whoever compiles for another machine measures nothing. */
#include "hostcc/vector/vector.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define LANES 8
#define GATHERS 128 /* of one trial: processors count time in steps of 30 cycles */
#define TRIALS 8    /* the shortest counts: others may have been interrupted */

typedef struct {
    float from[LANES * GATHERS];
    int index[LANES * GATHERS];
} bench;

/* Neither what comes before nor what comes after is under way. */
static uint64_t now(void)
{
    _mm_lfence();
    uint64_t t = __rdtsc();
    _mm_lfence();
    return t;
}

/* Keeps the compiler from taking the lanes out of memory, and from leaving out what
   nobody reads. Nothing is stored: where pages of loads and stores have the last eight
   bits of their physical numbers in common, as one pair in 256 has, gathers on a Xeon
   wait for the stores before them and take half as long again. */
#define IN_REGISTER(v) __asm__ volatile("" : "+x"(v))

__attribute__((target("avx2"), noinline)) static uint64_t time_gathers(bench *t)
{
    uint64_t start = now();
    for (unsigned k = 0; k < GATHERS; k++) {
        __m256i at = _mm256_loadu_si256((const __m256i *)(t->index + k * LANES));
        IN_REGISTER(at);
        __m256 all = _mm256_i32gather_ps(t->from, at, 4);
        IN_REGISTER(all);
    }
    return now() - start;
}

__attribute__((target("avx2"))) static __m128 load_four(const float *from, __m128i at)
{
    return _mm_setr_ps(from[_mm_extract_epi32(at, 0)], from[_mm_extract_epi32(at, 1)],
                       from[_mm_extract_epi32(at, 2)], from[_mm_extract_epi32(at, 3)]);
}

__attribute__((target("avx2"), noinline)) static uint64_t time_loads(bench *t)
{
    uint64_t start = now();
    for (unsigned k = 0; k < GATHERS; k++) {
        __m256i at = _mm256_loadu_si256((const __m256i *)(t->index + k * LANES));
        IN_REGISTER(at);
        __m128 low = load_four(t->from, _mm256_castsi256_si128(at)),
               high = load_four(t->from, _mm256_extracti128_si256(at, 1));
        __m256 all = _mm256_set_m128(high, low);
        IN_REGISTER(all);
    }
    return now() - start;
}

static bool measure(void)
{
    bench t = {.from = {0}};
    uint64_t gathers = ~0ull, loads = ~0ull;
    for (unsigned k = 0; k < LANES * GATHERS; k++)
        t.index[k] = (int)(k * 37 % (LANES * GATHERS));
    for (unsigned k = 0; k < TRIALS; k++) {
        uint64_t g = time_gathers(&t), l = time_loads(&t);
        gathers = g < gathers ? g : gathers;
        loads = l < loads ? l : loads;
    }
    return 4 * gathers < 3 * loads; /* 6 to 4 on Zen 5: far from either side */
}
#else
static bool measure(void)
{
    return false;
}
#endif

bool cc_gathers_are_fast(const cc_unit *u)
{
    static enum { UNKNOWN, SLOW, FAST } known;
    const cc_options *o = u->options;
    if (o->gathers)
        return o->gathers == CC_GATHERS_ARE_INSTRUCTIONS;
    if (o->cpu || u->vector_bits <= 128)
        return false;
    if (known == UNKNOWN)
        known = measure() ? FAST : SLOW;
    return known == FAST;
}
