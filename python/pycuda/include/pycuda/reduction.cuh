/* Reductions in one launch. Each block takes rows of 8 elements a thread: on a GPU in
   turn with the other blocks, so that all are at neighbouring addresses, on the host
   those of a stretch. A thread folds its elements, the block its threads' values in a
   tree, and the block that is last to finish what the blocks wrote to scratch memory.
   The order depends on n and the grid alone, so that the same launch gives the same
   bits again. Scratch memory starts with a counter that is 0 between launches. */
#ifndef PYCUDA_REDUCTION_CUH
#define PYCUDA_REDUCTION_CUH

#include "operations.cuh"

namespace pycuda
{

/* Threads, which the launcher knows, and folds of a thread that need not wait for each
   other. On the host one vector goes from front to end. */
#ifdef __HOSTCC__
enum { reduction_block = 32, folds = 4 };
#else
enum { reduction_block = 256, folds = 2 };
#endif

/* The value of all threads folded, for thread 0. */
template <class T, class Reduce> PYCUDA_DEVICE T fold_block(T value, Reduce reduce)
{
    __shared__ __align__(16) char memory[sizeof(T) * reduction_block];
    T *s = (T *)memory;
    unsigned t = threadIdx.x;
    s[t] = value;
#ifdef __HOSTCC__
#pragma unroll 1
#endif
    for (unsigned k = reduction_block / 2; k > 0; k /= 2) {
        __syncthreads();
        if (t < k)
            s[t] = reduce(s[t], s[t + k]);
    }
    value = s[0];
    __syncthreads(); /* the memory may be used again */
    return value;
}

template <class R, class T, class Map, class Reduce>
PYCUDA_DEVICE void reduce(R *result, char *scratch, size_t n, T neutral, Map map,
                          Reduce reduce)
{
    __shared__ bool is_last;
    unsigned *finished = (unsigned *)scratch;
    T *partial = (T *)(scratch + 16), value, fold[folds];
    const size_t width = reduction_block, row = 8 * width;
#ifdef __HOSTCC__
    size_t share = ((n + gridDim.x - 1) / gridDim.x + row - 1) / row * row;
    size_t at = blockIdx.x * share, end = at + share < n ? at + share : n, step = row;
#else
    size_t at = blockIdx.x * row, end = n, step = gridDim.x * row;
#endif
#pragma unroll
    for (int k = 0; k < folds; k++)
        fold[k] = neutral;
    for (; at + row <= end; at += step) {
#pragma unroll
        for (int k = 0; k < 8; k++)
            fold[k % folds] =
                reduce(fold[k % folds], map(at + k * width + threadIdx.x));
    }
    value = fold[0];
#pragma unroll
    for (int k = 1; k < folds; k++)
        value = reduce(value, fold[k]);
    for (; at < end; at += width)
        if (at + threadIdx.x < end)
            value = reduce(value, map(at + threadIdx.x));
    value = fold_block(value, reduce);
    if (gridDim.x > 1) {
        if (threadIdx.x == 0) {
            partial[blockIdx.x] = value;
            __threadfence();
            is_last = atomicAdd(finished, 1u) == gridDim.x - 1;
        }
        __syncthreads();
        if (!is_last)
            return;
        __threadfence();
        value = neutral;
        for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
            value = reduce(value, partial[i]);
        value = fold_block(value, reduce);
        if (threadIdx.x == 0)
            *finished = 0;
    }
    if (threadIdx.x == 0)
        *result = convert<R>(value);
}

} // namespace pycuda

#endif
