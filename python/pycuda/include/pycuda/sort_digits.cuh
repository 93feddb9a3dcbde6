/* What blocks of a GPU that sort by a digit have in common: who in a warp has the same
   digit, and what is before a thread's. */
#ifndef PYCUDA_SORT_DIGITS_CUH
#define PYCUDA_SORT_DIGITS_CUH

#include "sort_order.cuh"
#include "warp.cuh"

namespace pycuda
{

/* Which lanes have that digit: of each bit, those that have the lane's own. On a GPU in
   PTX, since of C++ compilers make twice as many instructions. It takes as long whatever
   the digits are, unlike atomic operations, and half as long as __match_any_sync. */
PYCUDA_DEVICE unsigned peers_of(unsigned digit)
{
    unsigned peers = ~0u;
#pragma unroll
    for (int k = 0; k < 8; k++) {
#ifdef __HOSTCC__
        bool bit = digit >> k & 1;
        unsigned have = __ballot_sync(~0u, bit);
        peers &= bit ? have : ~have;
#else
        asm volatile("{\n\t"
                     ".reg .pred bit;\n\t"
                     ".reg .b32 have;\n\t"
                     "and.b32 have, %1, %2;\n\t"
                     "setp.ne.u32 bit, have, 0;\n\t"
                     "vote.sync.ballot.b32 have, bit, -1;\n\t"
                     "@!bit not.b32 have, have;\n\t"
                     "and.b32 %0, %0, have;\n\t"
                     "}"
                     : "+r"(peers)
                     : "r"(digit), "r"(1u << k));
#endif
    }
    return peers;
}

/* The sum of what threads before this one have, of the first 256 of a block; others only
   wait with them. */
PYCUDA_DEVICE unsigned sum_before(unsigned mine, unsigned *of_warps)
{
    unsigned warp = threadIdx.x / 32, sum = mine;
    if (warp < 8) {
        sum = sum_to_lane(mine);
        if (threadIdx.x % 32 == 31)
            of_warps[warp] = sum;
    }
    __syncthreads();
    for (unsigned w = 0; w < 8; w++)
        sum += w < warp ? of_warps[w] : 0;
    return sum - mine;
}

} // namespace pycuda

#endif
