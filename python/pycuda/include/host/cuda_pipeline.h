/* Copies from global to shared memory that run beside the thread: here each is done
   when its call returns, so there is nothing to commit and nothing to wait for. What
   the primitives promise of visibility to other threads is a barrier's matter, on GPUs
   too. */
#ifndef HOSTCC_CUDA_PIPELINE_H
#define HOSTCC_CUDA_PIPELINE_H
#include "cuda_awbarrier.h"
#include "../pycuda/letters_aside.cuh"

/* 4, 8 or 16 bytes, of which the last `zeros` are not read but set to zero. */
__HC_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes,
                                         size_t zeros = 0)
{
    const unsigned *word = (const unsigned *)from;
    for (size_t k = 0; k < bytes / 4; k++) {
        size_t left = bytes - zeros - 4 * k; /* wraps below zero */
        unsigned v = zeros <= bytes - 4 * k - 4 ? word[k] : 0;
        for (size_t b = 0; zeros % 4 && left < 4 && b < left; b++)
            v |= (unsigned)((const unsigned char *)(word + k))[b] << 8 * b;
        ((unsigned *)to)[k] = v;
    }
}
__HC_DEVICE void __pipeline_commit() {}
__HC_DEVICE void __pipeline_wait_prior(size_t) {}
/* Expects one more arrival, which the end of the copies is. */
__HC_DEVICE void __pipeline_arrive_on(__mbarrier_t *) {}

namespace nvcuda
{
namespace experimental
{
class pipeline
{
    size_t batches = 0;

  public:
    __device__ size_t commit() { return batches++; }
    __device__ void commit_and_wait() { batches++; }
    __device__ void wait(size_t) {}
    template <unsigned behind> __device__ void wait_prior() {}
    __device__ void arrive_on(awbarrier &) {}
};
template <class T> __HC_DEVICE void memcpy_async(T &to, const T &from, pipeline &)
{
    to = from;
}
} // namespace experimental
} // namespace nvcuda

#include "../pycuda/letters_back.cuh"

#endif
