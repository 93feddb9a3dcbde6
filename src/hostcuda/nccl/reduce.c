/* Arithmetic of collective operations: one function for each type, which the compiler
   makes vector code of. A block of elements at a time is added up in the type that is
   computed in, so that narrow floats are rounded once. */
#include "reduce.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "cuda/nccl.h"

enum { BLOCK = 512 }; /* elements */

size_t hd_nccl_size(unsigned type)
{
    static const unsigned char sizes[ncclNumTypes] = {
        [ncclInt8] = 1,    [ncclUint8] = 1,   [ncclInt32] = 4,   [ncclUint32] = 4,
        [ncclInt64] = 8,   [ncclUint64] = 8,  [ncclFloat16] = 2, [ncclFloat32] = 4,
        [ncclFloat64] = 8, [ncclBfloat16] = 2};
    return type < ncclNumTypes ? sizes[type] : 0;
}

typedef uint16_t bfloat16;

static float from_bfloat16(bfloat16 value)
{
    uint32_t bits = (uint32_t)value << 16;
    float wide;
    memcpy(&wide, &bits, sizeof wide);
    return wide;
}

/* Rounds to nearest, ties to even; a NaN stays one. */
static bfloat16 to_bfloat16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (isnan(value))
        return bits >> 16 | 0x40;
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

#define SAME(value) (value)
#define LESS(a, b) ((b) < (a) ? (b) : (a))
#define MORE(a, b) ((b) > (a) ? (b) : (a))

/* reduce_name: of elements of `type`; `wide` is what is computed in, `wraps` the same
   for sums and products, `load` and `store` convert. */
#define REDUCE(name, type, wide, wraps, load, store, least, most)                     \
    static void reduce_##name(unsigned operation, const type *const *from, int ranks, \
                              size_t first, size_t n, type *to)                       \
    {                                                                                 \
        wide sum[BLOCK];                                                              \
        for (size_t i = 0; i < n; i++)                                                \
            sum[i] = load(from[0][first + i]);                                        \
        for (int rank = 1; rank < ranks; rank++) {                                    \
            const type *next = from[rank] + first;                                    \
            if (operation == ncclProd)                                                \
                for (size_t i = 0; i < n; i++)                                        \
                    sum[i] = (wide)((wraps)sum[i] * (wraps)load(next[i]));            \
            else if (operation == ncclMax)                                            \
                for (size_t i = 0; i < n; i++)                                        \
                    sum[i] = most(sum[i], (wide)load(next[i]));                       \
            else if (operation == ncclMin)                                            \
                for (size_t i = 0; i < n; i++)                                        \
                    sum[i] = least(sum[i], (wide)load(next[i]));                      \
            else                                                                      \
                for (size_t i = 0; i < n; i++)                                        \
                    sum[i] = (wide)((wraps)sum[i] + (wraps)load(next[i]));            \
        }                                                                             \
        for (size_t i = 0; i < n; i++)                                                \
            to[first + i] =                                                           \
                store(operation == ncclAvg ? sum[i] / (wide)ranks : sum[i]);          \
    }
REDUCE(int8, int8_t, int8_t, uint32_t, SAME, SAME, LESS, MORE)
REDUCE(uint8, uint8_t, uint8_t, uint32_t, SAME, SAME, LESS, MORE)
REDUCE(int32, int32_t, int32_t, uint32_t, SAME, SAME, LESS, MORE)
REDUCE(uint32, uint32_t, uint32_t, uint32_t, SAME, SAME, LESS, MORE)
REDUCE(int64, int64_t, int64_t, uint64_t, SAME, SAME, LESS, MORE)
REDUCE(uint64, uint64_t, uint64_t, uint64_t, SAME, SAME, LESS, MORE)
REDUCE(float16, _Float16, float, float, SAME, SAME, fminf, fmaxf)
REDUCE(float32, float, float, float, SAME, SAME, fminf, fmaxf)
REDUCE(float64, double, double, double, SAME, SAME, fmin, fmax)
REDUCE(bfloat16, bfloat16, float, float, from_bfloat16, to_bfloat16, fminf, fmaxf)

void hd_nccl_reduce_unlocked(unsigned type, unsigned operation, const void *const *from,
                             int ranks, size_t count, void *to)
{
    for (size_t first = 0; first < count; first += BLOCK) {
        size_t n = count - first < BLOCK ? count - first : BLOCK;
        switch (type) {
#define CASE(id, name, type)                                                      \
    case id:                                                                      \
        reduce_##name(operation, (const type *const *)from, ranks, first, n, to); \
        break;
            CASE(ncclInt8, int8, int8_t)
            CASE(ncclUint8, uint8, uint8_t)
            CASE(ncclInt32, int32, int32_t)
            CASE(ncclUint32, uint32, uint32_t)
            CASE(ncclInt64, int64, int64_t)
            CASE(ncclUint64, uint64, uint64_t)
            CASE(ncclFloat16, float16, _Float16)
            CASE(ncclFloat32, float32, float)
            CASE(ncclFloat64, float64, double)
            CASE(ncclBfloat16, bfloat16, bfloat16)
#undef CASE
        }
    }
}
