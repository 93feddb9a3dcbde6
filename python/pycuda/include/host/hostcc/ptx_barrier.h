/* mbarrier, and copies that tell one that they are done. A copy is made at once, so
   that there is no waiting for it; but who waits at a barrier may not go on before it,
   so its bytes count as they do on a GPU. */
#ifndef HOSTCC_PTX_BARRIER_H
#define HOSTCC_PTX_BARRIER_H
#include "cuda_awbarrier.h"

#define PTX_BARRIER(at) ((__mbarrier_t *)(at))
__HC_DEVICE u64 ptx_arrived(char *at, u32 n = 1)
{
    return __hc_arrive_at(PTX_BARRIER(at), n, 0, 0);
}
__HC_DEVICE u64 ptx_dropped(char *at, u32 n = 1)
{
    return __hc_arrive_at(PTX_BARRIER(at), 0, n, 0);
}
/* The last operand, which may be left out, is how long to wait at most. */
__HC_DEVICE bool ptx_waited(char *at, u64 token, u32 = 0)
{
    return __mbarrier_try_wait(PTX_BARRIER(at), token, 0);
}
__HC_DEVICE bool ptx_waited_parity(char *at, u32 parity, u32 = 0)
{
    return __mbarrier_try_wait_parity(PTX_BARRIER(at), parity & 1, 0);
}
#define ptx_mbarrier_init(T, at, n) __mbarrier_init(PTX_BARRIER(at), n)
#define ptx_mbarrier_inval(T, at) __mbarrier_inval(PTX_BARRIER(at))
#define ptx_mbarrier_arrive(T, d, ...) d = ptx_arrived(__VA_ARGS__)
#define ptx_mbarrier_arrive_noComplete ptx_mbarrier_arrive
#define ptx_mbarrier_arrive_drop(T, d, ...) d = ptx_dropped(__VA_ARGS__)
#define ptx_mbarrier_arrive_drop_noComplete ptx_mbarrier_arrive_drop
#define ptx_mbarrier_arrive_expect_tx(T, d, at, n) \
    d = __hc_arrive_at(PTX_BARRIER(at), 1, 0, (u32)(n))
#define ptx_mbarrier_arrive_drop_expect_tx(T, d, at, n) \
    d = __hc_arrive_at(PTX_BARRIER(at), 0, 1, (u32)(n))
#define ptx_mbarrier_expect_tx(T, at, n) __hc_arrive_at(PTX_BARRIER(at), 0, 0, (u32)(n))
#define ptx_mbarrier_complete_tx(T, at, n) \
    __hc_arrive_at(PTX_BARRIER(at), 0, 0, -(s64)(u32)(n))
#define ptx_mbarrier_test_wait(T, p, ...) p = ptx_waited(__VA_ARGS__)
#define ptx_mbarrier_test_wait_parity(T, p, ...) p = ptx_waited_parity(__VA_ARGS__)
#define ptx_mbarrier_try_wait ptx_mbarrier_test_wait
#define ptx_mbarrier_try_wait_parity ptx_mbarrier_test_wait_parity
#define ptx_mbarrier_pending_count(T, d, token) \
    d = __mbarrier_token_pending_count(token)
#define ptx_fence_mbarrier_init() __threadfence()

/* Without noinc one more is expected, too, and the two cancel out. */
#define ptx_cp_async_mbarrier_arrive(T, at)
#define ptx_cp_async_mbarrier_arrive_noinc(T, at) ptx_arrived(at)

/* Whole words of 16 bytes. */
__HC_DEVICE void ptx_copy(char *to, const char *from, u32 size)
{
#pragma unroll 1
    for (u32 k = 0; k < size / 16; k++)
        ((uint4 *)to)[k] = ((const uint4 *)from)[k];
}
#define ptx_cp_async_bulk_bulk_group(to, from, n) ptx_copy(to, from, n)
#define ptx_cp_async_bulk_mbarrier(to, from, n, at) \
    ptx_copy(to, from, n), ptx_mbarrier_complete_tx(b64, at, n)
#define ptx_cp_async_bulk_commit_group()
#define ptx_cp_async_bulk_wait_group(n)
#define ptx_cp_async_bulk_wait_group_read(n)
#define ptx_cp_async_bulk_prefetch(p, n)
#define PTX_BULK(op)                                                        \
    template <class T>                                                      \
    __HC_DEVICE void ptx_bulk_##op(char *to, const char *from, u32 size)    \
    {                                                                       \
        _Pragma("unroll 1") for (u32 k = 0; k < size / (u32)sizeof(T); k++) \
            ptx_red(op, T, (T *)to + k, ((const T *)from)[k]);              \
    }
PTX_BULK(add)
PTX_BULK(min)
PTX_BULK(max)
PTX_BULK(inc)
PTX_BULK(dec)
PTX_BULK(and)
PTX_BULK(or)
PTX_BULK(xor)
#define ptx_cp_reduce_async_bulk_bulk_group_add(T, ...) ptx_bulk_add<T>(__VA_ARGS__)
#define ptx_cp_reduce_async_bulk_bulk_group_min(T, ...) ptx_bulk_min<T>(__VA_ARGS__)
#define ptx_cp_reduce_async_bulk_bulk_group_max(T, ...) ptx_bulk_max<T>(__VA_ARGS__)
#define ptx_cp_reduce_async_bulk_bulk_group_inc(T, ...) ptx_bulk_inc<T>(__VA_ARGS__)
#define ptx_cp_reduce_async_bulk_bulk_group_dec(T, ...) ptx_bulk_dec<T>(__VA_ARGS__)
#define ptx_cp_reduce_async_bulk_bulk_group_and(T, ...) ptx_bulk_and<T>(__VA_ARGS__)
#define ptx_cp_reduce_async_bulk_bulk_group_or(T, ...) ptx_bulk_or<T>(__VA_ARGS__)
#define ptx_cp_reduce_async_bulk_bulk_group_xor(T, ...) ptx_bulk_xor<T>(__VA_ARGS__)

#endif
