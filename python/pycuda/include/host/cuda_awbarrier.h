/* Barriers in shared memory at which arriving and waiting are two steps: __mbarrier_t
   and nvcuda::experimental::awbarrier. A word counts who has arrived (20 bits), who is
   expected (20), the bytes of copies that are still expected (21, with a sign) and,
   above, the phases; a token is the phase in which one arrived. */
#ifndef HOSTCC_CUDA_AWBARRIER_H
#define HOSTCC_CUDA_AWBARRIER_H
#include "../pycuda/letters_aside.cuh"

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

#define __HC_FIELD 0xfffffull
#define __HC_BYTES (0x1fffffull << 40)
#define __HC_PHASE 61
__HC_DEVICE unsigned __mbarrier_maximum_count() { return __HC_FIELD; }
__HC_DEVICE void __mbarrier_init(__mbarrier_t *barrier, unsigned expected)
{
    *barrier = (__mbarrier_t)expected << 20;
}
__HC_DEVICE void __mbarrier_inval(__mbarrier_t *barrier) { *barrier = 0; }
/* So many more have arrived, so many fewer are expected, so many more bytes are. */
__HC_DEVICE __mbarrier_token_t __hc_arrive_at(__mbarrier_t *barrier, unsigned arrived,
                                              unsigned dropped, long long bytes)
{
    __mbarrier_t before = __atomic_load_n(barrier, __ATOMIC_RELAXED), after;
    do {
        after = before + arrived - ((__mbarrier_t)dropped << 20);
        after = (after & ~__HC_BYTES) | (after + (bytes << 40) & __HC_BYTES);
        bool is_last = (after & __HC_FIELD) == (after >> 20 & __HC_FIELD) &&
                       !(after & __HC_BYTES);
        after = is_last ? (after & ~__HC_FIELD) + (1ull << __HC_PHASE) : after;
    } while (!__atomic_compare_exchange_n(barrier, &before, after, false,
                                          __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    return before;
}
__HC_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier)
{
    return __hc_arrive_at(barrier, 1, 0, 0);
}
__HC_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier)
{
    return __hc_arrive_at(barrier, 0, 1, 0);
}
/* Who was still expected. */
__HC_DEVICE unsigned __mbarrier_token_pending_count(__mbarrier_token_t token)
{
    return (unsigned)((token >> 20 & __HC_FIELD) - (token & __HC_FIELD));
}
__HC_DEVICE bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token)
{
    __mbarrier_t now = *(volatile __mbarrier_t *)barrier;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return (now ^ token) >> __HC_PHASE;
}
/* Whether the last phase to be over is that of this parity. */
__HC_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity)
{
    __mbarrier_t now = *(volatile __mbarrier_t *)barrier;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return (now >> __HC_PHASE & 1) != parity;
}
__HC_DEVICE bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token,
                                     unsigned)
{
    __hostcc_pause();
    return __mbarrier_test_wait(barrier, token);
}
__HC_DEVICE bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool parity,
                                            unsigned)
{
    __hostcc_pause();
    return __mbarrier_test_wait_parity(barrier, parity);
}
#undef __HC_FIELD
#undef __HC_BYTES
#undef __HC_PHASE

namespace nvcuda
{
namespace experimental
{
class awbarrier
{
    __mbarrier_t barrier;
    friend __device__ inline void init(awbarrier *b, unsigned expected)
    {
        __mbarrier_init(&b->barrier, expected);
    }
    friend __device__ inline void inval(awbarrier *b) { __mbarrier_inval(&b->barrier); }

  public:
    class arrival_token
    {
        __mbarrier_token_t token;
        friend awbarrier;

      public:
        __device__ unsigned pending_count() const
        {
            return __mbarrier_token_pending_count(token);
        }
    };
    awbarrier() = default;
    awbarrier(const awbarrier &) = delete;
    awbarrier &operator=(const awbarrier &) = delete;
    __device__ static unsigned max() { return __mbarrier_maximum_count(); }
    __device__ arrival_token arrive()
    {
        arrival_token t;
        t.token = __mbarrier_arrive(&barrier);
        return t;
    }
    __device__ arrival_token arrive_and_drop()
    {
        arrival_token t;
        t.token = __mbarrier_arrive_and_drop(&barrier);
        return t;
    }
    __device__ bool timed_wait(arrival_token t, unsigned)
    {
        return __mbarrier_try_wait(&barrier, t.token, 0);
    }
    __device__ bool timed_wait_parity(bool parity, unsigned)
    {
        return __mbarrier_try_wait_parity(&barrier, parity, 0);
    }
    __device__ bool try_wait(arrival_token t, unsigned) { return timed_wait(t, 0); }
    __device__ bool try_wait_parity(bool parity, unsigned)
    {
        return timed_wait_parity(parity, 0);
    }
    __device__ void wait(arrival_token t)
    {
        while (!__mbarrier_test_wait(&barrier, t.token))
            __hostcc_pause();
    }
    __device__ void arrive_and_wait() { wait(arrive()); }
};
} // namespace experimental
} // namespace nvcuda

#include "../pycuda/letters_back.cuh"

#endif
