/* Values of any type that pass from one lane of a warp to another. */
#ifndef PYCUDA_WARP_CUH
#define PYCUDA_WARP_CUH

#include "operations.cuh"

namespace pycuda
{

enum lane_of { lane_up, lane_down, lane_xor, lane_at };

/* The value that another lane has: `by` lanes lower or higher, the one whose number
   differs in the bits `by`, or lane number `by`. Where there is none: the lane's own. */
template <lane_of which, class T> PYCUDA_DEVICE T shuffle(T x, unsigned by)
{
    unsigned words[(sizeof(T) + 3) / 4];
    words[(sizeof(T) - 1) / 4] = 0;
    memcpy(words, (const void *)&x, sizeof x);
#pragma unroll
    for (unsigned k = 0; k < (sizeof(T) + 3) / 4; k++)
        words[k] = which == lane_up     ? __shfl_up_sync(~0u, words[k], by)
                   : which == lane_down ? __shfl_down_sync(~0u, words[k], by)
                   : which == lane_xor  ? __shfl_xor_sync(~0u, words[k], by)
                                        : __shfl_sync(~0u, words[k], by);
    memcpy((void *)&x, words, sizeof x);
    return x;
}

} // namespace pycuda

#endif
