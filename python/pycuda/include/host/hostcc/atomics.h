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
#define __HC_ATOMIC(name, expression)               \
    __HC unsigned name(unsigned *p, unsigned limit) \
    {                                               \
        return expression;                          \
    }
__HC_SCOPES(atomicInc, __nvvm_atom_inc_gen_ui(p, limit))
__HC_SCOPES(atomicDec, __nvvm_atom_dec_gen_ui(p, limit))
#undef __HC_ATOMIC

#endif
