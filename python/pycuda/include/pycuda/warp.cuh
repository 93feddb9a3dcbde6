/* Values of any type that pass from one lane of a warp to another. */
#ifndef PYCUDA_WARP_CUH
#define PYCUDA_WARP_CUH

#include "operations.cuh"

namespace pycuda
{

/* What values are cut into. Numbers of 64 bits stay whole: put together again from two
   halves, they take several instructions on the host device. */
template <class T> struct words_of {
    typedef unsigned type;
};
#define PYCUDA_WHOLE(T)                  \
    template <> struct words_of<T> {     \
        typedef unsigned long long type; \
    };
PYCUDA_WHOLE(long)
PYCUDA_WHOLE(unsigned long)
PYCUDA_WHOLE(long long)
PYCUDA_WHOLE(unsigned long long)
PYCUDA_WHOLE(double)
#undef PYCUDA_WHOLE

enum lane_of { lane_up, lane_down, lane_xor, lane_at };

/* The value that another lane has: `by` lanes lower or higher, the one whose number
   differs in the bits `by`, or lane number `by`. Where there is none: the lane's own.
 */
template <lane_of which, class T> PYCUDA_DEVICE T shuffle(T x, unsigned by)
{
    typedef typename words_of<T>::type word;
    enum { count = (sizeof(T) + sizeof(word) - 1) / sizeof(word) };
    word words[count];
    words[count - 1] = 0;
    memcpy(words, (const void *)&x, sizeof x);
#pragma unroll
    for (unsigned k = 0; k < count; k++)
        words[k] = which == lane_up     ? __shfl_up_sync(~0u, words[k], by)
                   : which == lane_down ? __shfl_down_sync(~0u, words[k], by)
                   : which == lane_xor  ? __shfl_xor_sync(~0u, words[k], by)
                                        : __shfl_sync(~0u, words[k], by);
    memcpy((void *)&x, words, sizeof x);
    return x;
}

/* The elements of the lanes up to this one, folded, from the last one on that is number
   0 where lanes count anew. */
template <class Op, class T> PYCUDA_DEVICE T scan_warp(T x, int lane = threadIdx.x % 32)
{
#pragma unroll
    for (int k = 1; k < 32; k *= 2) {
        T left = shuffle<lane_up>(x, k);
        if (lane >= k)
            x = Op::of(left, x);
    }
    return x;
}

struct sum_of_two {
    static PYCUDA_DEVICE unsigned of(unsigned a, unsigned b) { return a + b; }
};
/* What the lanes up to this one have together. */
PYCUDA_DEVICE unsigned sum_to_lane(unsigned x) { return scan_warp<sum_of_two>(x); }

} // namespace pycuda

#endif
