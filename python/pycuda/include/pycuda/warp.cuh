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

} // namespace pycuda

#endif
