/* Atomic functions: relaxed, for every type that has the operation on this device (int,
   unsigned, long, long long, float, double where it makes sense), which is more than
   CUDA's lists. The type comes from the pointer alone, so atomicAdd(&counter, 1) works
   whatever the counter is. */
#ifndef HOSTCC_ATOMICS_H
#define HOSTCC_ATOMICS_H

template <class T> struct __hc_same {
    typedef T type;
};

template <class T> __HC T __hc_exchange(T *p, T value)
{
    T old;
    __atomic_exchange(p, &value, &old, __ATOMIC_SEQ_CST);
    return old;
}

/* One function in CUDA's three scopes; all threads share one memory here, so they are
 * the same. */
#define __HC_SCOPES(name, expression)     \
    __HC_ATOMIC(name, expression)         \
    __HC_ATOMIC(name##_block, expression) \
    __HC_ATOMIC(name##_system, expression)
#define __HC_ATOMIC(name, expression)                                       \
    template <class T> __HC T name(T *p, typename __hc_same<T>::type value) \
    {                                                                       \
        return expression;                                                  \
    }
__HC_SCOPES(atomicAdd, __atomic_fetch_add(p, value, __ATOMIC_RELAXED))
__HC_SCOPES(atomicSub, __atomic_fetch_sub(p, value, __ATOMIC_RELAXED))
__HC_SCOPES(atomicMin, __atomic_fetch_min(p, value, __ATOMIC_RELAXED))
__HC_SCOPES(atomicMax, __atomic_fetch_max(p, value, __ATOMIC_RELAXED))
__HC_SCOPES(atomicAnd, __atomic_fetch_and(p, value, __ATOMIC_RELAXED))
__HC_SCOPES(atomicOr, __atomic_fetch_or(p, value, __ATOMIC_RELAXED))
__HC_SCOPES(atomicXor, __atomic_fetch_xor(p, value, __ATOMIC_RELAXED))
__HC_SCOPES(atomicExch, __hc_exchange(p, value))
#undef __HC_ATOMIC

#define __HC_ATOMIC(name, expression)                  \
    template <class T>                                 \
    __HC T name(T *p, typename __hc_same<T>::type old, \
                typename __hc_same<T>::type value)     \
    {                                                  \
        expression;                                    \
        return old;                                    \
    }
__HC_SCOPES(atomicCAS, __atomic_compare_exchange_n(p, &old, value, false,
                                                   __ATOMIC_RELAXED, __ATOMIC_RELAXED))
#undef __HC_ATOMIC

/* atomicInc and atomicDec count around a limit. */
#define __HC_ATOMIC(name, expression) \
    __HC unsigned name(unsigned *p, unsigned limit) { return expression; }
__HC_SCOPES(atomicInc, __nvvm_atom_inc_gen_ui(p, limit))
__HC_SCOPES(atomicDec, __nvvm_atom_dec_gen_ui(p, limit))
#undef __HC_ATOMIC

/* Of vectors, each element by itself. */
#define __HC_ATOMIC(name, ...)                                         \
    __HC float2 name(float2 *p, float2 value)                          \
    {                                                                  \
        return {atomicAdd(&p->x, value.x), atomicAdd(&p->y, value.y)}; \
    }                                                                  \
    __HC float4 name(float4 *p, float4 value)                          \
    {                                                                  \
        return {atomicAdd(&p->x, value.x), atomicAdd(&p->y, value.y),  \
                atomicAdd(&p->z, value.z), atomicAdd(&p->w, value.w)}; \
    }
__HC_SCOPES(atomicAdd, )
#undef __HC_ATOMIC

/* CUDA 13's functions with an order and a scope, which may be left out: clang's
   builtins. The order has clang's number. */
enum {
    __NV_ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};
enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};
#define __nv_atomic_load(p, to, order, ...) __atomic_load(p, to, order)
#define __nv_atomic_load_n(p, order, ...) __atomic_load_n(p, order)
#define __nv_atomic_store(p, from, order, ...) __atomic_store(p, from, order)
#define __nv_atomic_store_n(p, value, order, ...) __atomic_store_n(p, value, order)
#define __nv_atomic_exchange(p, from, to, order, ...) \
    __atomic_exchange(p, from, to, order)
#define __nv_atomic_exchange_n(p, value, order, ...) \
    __atomic_exchange_n(p, value, order)
#define __nv_atomic_compare_exchange(p, old, from, weak, order, otherwise, ...) \
    __atomic_compare_exchange(p, old, from, weak, order, otherwise)
#define __nv_atomic_compare_exchange_n(p, old, value, weak, order, otherwise, ...) \
    __atomic_compare_exchange_n(p, old, value, weak, order, otherwise)
#define __nv_atomic_fetch_add(p, value, order, ...) __atomic_fetch_add(p, value, order)
#define __nv_atomic_fetch_sub(p, value, order, ...) __atomic_fetch_sub(p, value, order)
#define __nv_atomic_fetch_and(p, value, order, ...) __atomic_fetch_and(p, value, order)
#define __nv_atomic_fetch_or(p, value, order, ...) __atomic_fetch_or(p, value, order)
#define __nv_atomic_fetch_xor(p, value, order, ...) __atomic_fetch_xor(p, value, order)
#define __nv_atomic_fetch_min(p, value, order, ...) __atomic_fetch_min(p, value, order)
#define __nv_atomic_fetch_max(p, value, order, ...) __atomic_fetch_max(p, value, order)
#define __nv_atomic_add(...) (void)__nv_atomic_fetch_add(__VA_ARGS__)
#define __nv_atomic_sub(...) (void)__nv_atomic_fetch_sub(__VA_ARGS__)
#define __nv_atomic_and(...) (void)__nv_atomic_fetch_and(__VA_ARGS__)
#define __nv_atomic_or(...) (void)__nv_atomic_fetch_or(__VA_ARGS__)
#define __nv_atomic_xor(...) (void)__nv_atomic_fetch_xor(__VA_ARGS__)
#define __nv_atomic_min(...) (void)__nv_atomic_fetch_min(__VA_ARGS__)
#define __nv_atomic_max(...) (void)__nv_atomic_fetch_max(__VA_ARGS__)
#define __nv_atomic_thread_fence(order, ...) __atomic_thread_fence(order)

#endif
