/* Scans (running sums and the like) in three launches. Each block, which is one warp, takes
   a stretch of neighbouring elements, 32 of them at a time: `sums` folds the stretches,
   `carry` scans those sums with one warp, `scan` goes over the elements again with what
   is before each stretch. With one stretch alone `scan` is enough. Elements are folded in
   their order: the operation has to be associative, not commutative. */
#ifndef PYCUDA_SCAN_CUH
#define PYCUDA_SCAN_CUH

#include "operations.cuh"

namespace pycuda
{

/* The value that another lane has: `from` lanes lower if up, else lane number `from`. */
template <class T> PYCUDA_DEVICE T shuffle(T x, unsigned from, bool up)
{
    unsigned words[(sizeof(T) + 3) / 4];
    words[(sizeof(T) - 1) / 4] = 0;
    memcpy(words, &x, sizeof x);
    for (unsigned k = 0; k < (sizeof(T) + 3) / 4; k++)
        words[k] = up ? __shfl_up_sync(~0u, words[k], from)
                      : __shfl_sync(~0u, words[k], from);
    memcpy(&x, words, sizeof x);
    return x;
}

/* The elements of the lanes up to this one, folded. */
template <class Op, class T> PYCUDA_DEVICE T scan_warp(T x)
{
    int lane = threadIdx.x;
#pragma unroll
    for (int k = 1; k < 32; k *= 2) {
        T left = shuffle(x, k, true);
        if (lane >= k)
            x = Op::of(left, x);
    }
    return x;
}

/* The lane's element of 32; beyond the end bytes of 0, which nobody gets to see. */
template <class T> PYCUDA_DEVICE T load32(const T *x, size_t at, size_t n)
{
    T value;
    memset(&value, 0, sizeof value);
    if (at + threadIdx.x < n)
        value = x[at + threadIdx.x];
    return value;
}

template <class Op, class T>
PYCUDA_DEVICE void scan_sums(const T *input, T *sums, size_t n, size_t each)
{
    size_t first = blockIdx.x * each, end = first + each < n ? first + each : n;
    T sum = shuffle(scan_warp<Op>(load32(input, first, n)), 31, false);
    for (size_t at = first + 32; at < end; at += 32)
        sum = shuffle(Op::of(sum, scan_warp<Op>(load32(input, at, n))), 31, false);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

/* sums: of all stretches up to each; exclusive: results lack their own element. */
template <class Op, bool exclusive, class T>
PYCUDA_DEVICE void scan(const T *input, T *output, const T *sums, size_t n, size_t each)
{
    size_t first = blockIdx.x * each, end = first + each < n ? first + each : n;
    T x = scan_warp<Op>(load32(input, first, n)), sum = x; /* of all before x's 32 */
    if (blockIdx.x > 0) {
        sum = sums[blockIdx.x - 1];
        x = Op::of(sum, x);
    }
    for (size_t at = first;;) {
        T result = x;
        if constexpr (exclusive) {
            result = shuffle(x, 1, true);
            result = threadIdx.x == 0 ? sum : result;
            result = at + threadIdx.x > 0 ? Op::of(Op::neutral(), result) : Op::neutral();
        }
        if (at + threadIdx.x < n)
            output[at + threadIdx.x] = result;
        sum = shuffle(x, 31, false);
        at += 32;
        if (at >= end)
            return;
        x = Op::of(sum, scan_warp<Op>(load32(input, at, n)));
    }
}

} // namespace pycuda

#endif
