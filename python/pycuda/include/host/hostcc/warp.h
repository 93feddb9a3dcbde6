/* Barriers, fences, warp functions, clocks, traps: thin names over what hostcc
   implements. Warp functions take every type of 4 or 8 bytes (pointers and small
   structs too) and, as CUDA does by promotion, the smaller integers. */
#ifndef HOSTCC_WARP_H
#define HOSTCC_WARP_H

#define __HC_WARP extern "C" __device__ __attribute__((convergent))
__HC_WARP void __hostcc_barrier(void);
__HC_WARP int __hostcc_barrier_count(int);
__HC_WARP int __hostcc_barrier_and(int);
__HC_WARP int __hostcc_barrier_or(int);
__HC_WARP void __hostcc_syncwarp(unsigned);
__HC_WARP unsigned __hostcc_activemask(void);
__HC_WARP unsigned __hostcc_ballot(unsigned, int);
extern "C" __device__ unsigned __hostcc_lane(void);
extern "C" __device__ unsigned long long __hostcc_clock(void);
extern "C" __device__ unsigned long long __hostcc_nanoseconds(void);
extern "C" __device__ void __hostcc_pause(void);
extern "C" __device__ __attribute__((noreturn)) void __hostcc_exit(void);
extern "C" __device__ unsigned *__hostcc_grid_arrived(void);
extern "C" __device__ char *__hostcc_shared(void);
extern "C" __device__ unsigned __hostcc_shared_bytes(void);
extern "C" __device__ unsigned long __hostcc_dynamic_shared(void);
extern "C" __device__ unsigned *__hostcc_named_barriers(void);

#define __syncthreads() __hostcc_barrier() /* the name is a builtin of clang's */
__HC int __syncthreads_count(int predicate)
{
    return __hostcc_barrier_count(predicate);
}
__HC int __syncthreads_and(int predicate) { return __hostcc_barrier_and(predicate); }
__HC int __syncthreads_or(int predicate) { return __hostcc_barrier_or(predicate); }
__HC void __syncwarp(unsigned mask = 0xffffffffu) { __hostcc_syncwarp(mask); }

/* A barrier for the first `n` threads that come: a word counts those that have, and in
   its upper half how often it was passed. A thread counts for `as`; arriving alone does
   not wait. */
__HC_DEVICE void __hc_meet(unsigned *word, unsigned n, unsigned as, bool waits)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    unsigned before = __atomic_fetch_add(word, as, __ATOMIC_SEQ_CST);
    if ((before & 0xffff) + as == n)
        __atomic_fetch_add(word, 0x10000 - n, __ATOMIC_SEQ_CST);
    else if (waits)
        while (((before ^ *(volatile unsigned *)word) & 0xffff0000) == 0)
            __hostcc_pause();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
/* That of a number. Warps count in whole: the last thread for what is missing. */
__HC_DEVICE void __hc_arrive(unsigned id, unsigned n, bool waits)
{
    unsigned all = blockDim.x * blockDim.y * blockDim.z, more = -all & 31;
    unsigned rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned *word = __hostcc_named_barriers() + (id & 15);
    __hc_meet(word, n, rank == all - 1 ? 1 + more : 1, waits);
}
__HC_DEVICE void __barrier_sync(unsigned) { __hostcc_barrier(); }
/* Number 0 is that of __syncthreads; at others threads may meet from different places,
   and some of them by arriving alone, even if they are the whole block. */
__HC_DEVICE void __barrier_sync_count(unsigned id, unsigned n)
{
    if (id == 0 && n == ((blockDim.x * blockDim.y * blockDim.z + 31) & ~31u))
        __hostcc_barrier();
    else
        __hc_arrive(id, n, true);
}
__HC void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
__HC void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
__HC void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
__HC unsigned __activemask() { return __hostcc_activemask(); }

/* Votes. */
__HC unsigned __ballot_sync(unsigned mask, int predicate)
{
    return __hostcc_ballot(mask, predicate);
}
__HC int __any_sync(unsigned mask, int predicate)
{
    return __hostcc_ballot(mask, predicate) != 0;
}
__HC int __all_sync(unsigned mask, int predicate)
{
    return __hostcc_ballot(mask, !predicate) == 0;
}
__HC int __uni_sync(unsigned mask, int predicate)
{
    unsigned votes = __hostcc_ballot(mask, predicate);
    return votes == 0 || votes == mask;
}
__HC unsigned __ballot(int predicate)
{
    return __ballot_sync(__activemask(), predicate);
}
__HC int __any(int predicate) { return __any_sync(__activemask(), predicate); }
__HC int __all(int predicate) { return __all_sync(__activemask(), predicate); }

/* A value as the word that travels between lanes: __hc_word<sizeof(T)>::type. */
template <int size> struct __hc_word {
};
template <> struct __hc_word<1> {
    typedef unsigned char same;
    typedef unsigned type;
};
template <> struct __hc_word<2> {
    typedef unsigned short same;
    typedef unsigned type;
};
template <> struct __hc_word<4> {
    typedef unsigned same, type;
};
template <> struct __hc_word<8> {
    typedef unsigned long long same, type;
};

/* Shuffles, with and without a mask. */
#define __HC_SHUFFLE(name, primitive, T2, arg)                                    \
    __HC_WARP unsigned __hostcc_shuffle_##primitive##_32(unsigned, unsigned, int, \
                                                         int);                    \
    __HC_WARP __hc_ull __hostcc_shuffle_##primitive##_64(unsigned, __hc_ull, int, \
                                                         int);                    \
    template <class T>                                                            \
    __HC T __##name##_sync(unsigned mask, T value, T2 arg, int width = 32)        \
    {                                                                             \
        typedef __hc_word<sizeof(T)> word;                                        \
        typename word::type bits = __HC_BITS(typename word::same, value);         \
        bits = sizeof bits == 8                                                   \
                   ? __hostcc_shuffle_##primitive##_64(mask, bits, arg, width)    \
                   : __hostcc_shuffle_##primitive##_32(mask, bits, arg, width);   \
        return __HC_BITS(T, (typename word::same)bits);                           \
    }                                                                             \
    template <class T> __HC T __##name(T value, T2 arg, int width = 32)           \
    {                                                                             \
        return __##name##_sync(__activemask(), value, arg, width);                \
    }
__HC_SHUFFLE(shfl, index, int, source)
__HC_SHUFFLE(shfl_up, up, unsigned, delta)
__HC_SHUFFLE(shfl_down, down, unsigned, delta)
__HC_SHUFFLE(shfl_xor, xor, int, lanes)

/* Match. */
__HC_WARP unsigned __hostcc_match_any_32(unsigned, unsigned);
__HC_WARP unsigned __hostcc_match_any_64(unsigned, __hc_ull);
template <class T> __HC unsigned __match_any_sync(unsigned mask, T value)
{
    typedef __hc_word<sizeof(T)> word;
    typename word::type bits = __HC_BITS(typename word::same, value);
    return sizeof bits == 8 ? __hostcc_match_any_64(mask, bits)
                            : __hostcc_match_any_32(mask, bits);
}
template <class T> __HC unsigned __match_all_sync(unsigned mask, T value, int *all)
{
    *all = __match_any_sync(mask, value) == mask;
    return *all ? mask : 0;
}

/* Reductions. */
#define __HC_REDUCE(name, T, primitive)                                 \
    __HC_WARP unsigned __hostcc_reduce_##primitive(unsigned, unsigned); \
    __HC T __reduce_##name##_sync(unsigned mask, T value)               \
    {                                                                   \
        return (T)__hostcc_reduce_##primitive(mask, (unsigned)value);   \
    }
__HC_REDUCE(add, unsigned, add)
__HC_REDUCE(add, int, add)
__HC_REDUCE(min, unsigned, umin)
__HC_REDUCE(min, int, min)
__HC_REDUCE(max, unsigned, umax)
__HC_REDUCE(max, int, max)
__HC_REDUCE(and, unsigned, and)
__HC_REDUCE(or, unsigned, or)
__HC_REDUCE(xor, unsigned, xor)

/* Which memory an address is of, as far as that can be told: a thread's own arrays and
   constants count as global. */
__HC_DEVICE bool __isShared(const void *p)
{
    return (size_t)((const char *)p - __hostcc_shared()) < __hostcc_shared_bytes();
}
__HC_DEVICE bool __isGlobal(const void *p) { return !__isShared(p); }
__HC_DEVICE bool __isLocal(const void *) { return false; }
__HC_DEVICE bool __isConstant(const void *) { return false; }
__HC_DEVICE bool __isGridConstant(const void *) { return false; }
__HC_DEVICE bool __isClusterShared(const void *p) { return __isShared(p); }
#define __HC_SPACE(name)                                                             \
    __HC_DEVICE size_t __cvta_generic_to_##name(const void *p) { return (size_t)p; } \
    __HC_DEVICE void *__cvta_##name##_to_generic(size_t a) { return (void *)a; }
__HC_SPACE(global)
__HC_SPACE(local)
__HC_SPACE(constant)
/* Programs may cut a shared address to 32 bits. */
__HC_DEVICE size_t __cvta_generic_to_shared(const void *p) { return (size_t)p; }
__HC_DEVICE void *__cvta_shared_to_generic(size_t a)
{
    char *base = __hostcc_shared();
    return base + ((unsigned)a - (unsigned)(size_t)base);
}

__HC_DEVICE clock_t clock() { return (clock_t)__hostcc_clock(); }
__HC long long clock64() { return (long long)__hostcc_clock(); }
__HC void __nanosleep(unsigned nanoseconds) { __hostcc_pause(); }
__HC void __trap() { __builtin_trap(); }
__HC void __brkpt() {}
__HC void __prof_trigger(int) {}

#endif
