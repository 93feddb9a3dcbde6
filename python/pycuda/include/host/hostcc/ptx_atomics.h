/* PTX's atomic instructions: of one number, and of vectors and small floats. */
#ifndef HOSTCC_PTX_ATOMICS_H
#define HOSTCC_PTX_ATOMICS_H

/* More of clang's functions for atomics. */
#define __atomic_fetch_inc(p, a, order) atomicInc(p, a)
#define __atomic_fetch_dec(p, a, order) atomicDec(p, a)
#define __atomic_fetch_exch(p, a, order) __hc_exchange(p, as<decltype(*p + 0)>(a))
template <class T, class A> __HC_DEVICE T __atomic_fetch_cas(T *p, A x, A y, int order)
{
    T old = as<T>(x), value = as<T>(y);
    __atomic_compare_exchange_n(p, &old, value, false, order, order);
    return old;
}
#define ptx_red(op, T, p, ...) \
    __atomic_fetch_##op((T *)p, __VA_ARGS__, __ATOMIC_SEQ_CST)
#define ptx_atom(op, T, d, ...) put<T>(d, ptx_red(op, T, __VA_ARGS__))

/* Sums of vectors (.v2, .v4), pairs and floats of 16 bits: each element by itself. */
template <class T> __HC_DEVICE T ptx_sum_at(T *p, T x)
{
    if constexpr (!__is_arithmetic(T))
        return atomicAdd(p, x);
    else if constexpr (sizeof(T) > 2)
        return __atomic_fetch_add(p, x, __ATOMIC_SEQ_CST);
    else {
        u16 old = __atomic_load_n((u16 *)p, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n((u16 *)p, &old,
                                            as<u16>((T)(as<T>(old) + x)), false,
                                            __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            ;
        return as<T>(old);
    }
}
template <class T, class... X> __HC_DEVICE void ptx_add_each(char *p, X... x)
{
    T *at = (T *)p;
    (ptx_sum_at<T>(at++, as<T>(x)), ...);
}
template <class T, class D, class X> __HC_DEVICE void ptx_add_each(D &d, char *p, X x)
{
    put<T>(d, ptx_sum_at<T>((T *)p, as<T>(x)));
}
template <class T, class D, class X>
__HC_DEVICE void ptx_add_each(D &d, D &e, char *p, X x, X y)
{
    ptx_add_each<T>(d, p, x), ptx_add_each<T>(e, p + sizeof(T), y);
}
template <class T, class D, class X>
__HC_DEVICE void ptx_add_each(D &d, D &e, D &f, D &g, char *p, X x, X y, X z, X w)
{
    ptx_add_each<T>(d, e, p, x, y), ptx_add_each<T>(f, g, p + 2 * sizeof(T), z, w);
}
#define ptx_red_each(op, T, ...) ptx_##op##_each<T>(__VA_ARGS__)
#define ptx_atom_each ptx_red_each

#endif
