/* A bitonic network that sorts what a thread has in registers. Words of several parts
   bring comes_before and chosen of their own. */
#ifndef PYCUDA_SORT_NETWORK_CUH
#define PYCUDA_SORT_NETWORK_CUH

#include "operations.cuh"

namespace pycuda
{

template <class W> PYCUDA_DEVICE bool comes_before(W a, W b) { return a < b; }

template <class T> PYCUDA_DEVICE T chosen(bool is_first, T a, T b)
{
    return is_first ? a : b;
}

template <class W> PYCUDA_DEVICE void put_in_order(W &a, W &b)
{
    bool is_wrong = comes_before(b, a);
    W low = chosen(is_wrong, b, a);
    b = chosen(is_wrong, a, b);
    a = low;
}

/* Of rows that are bitonic in stretches of twice `apart` elements. */
template <int apart, int items, class W>
PYCUDA_DEVICE void merge_in_lane(W (&word)[items])
{
    if constexpr (apart > 0) {
#pragma unroll
        for (int k = 0; k < items; k++)
            if (!(k & apart))
                put_in_order(word[k], word[k | apart]);
        merge_in_lane<apart / 2>(word);
    }
}

/* Stretches of `size` elements, of two halves whose second one is read backwards. */
template <int size, int items, class W>
PYCUDA_DEVICE void sort_in_lane(W (&word)[items])
{
    if constexpr (size > 1) {
        sort_in_lane<size / 2>(word);
#pragma unroll
        for (int k = 0; k < items; k++)
            if (!(k & size / 2))
                put_in_order(word[k], word[k ^ (size - 1)]);
        merge_in_lane<size / 4>(word);
    }
}

} // namespace pycuda

#endif
