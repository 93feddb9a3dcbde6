/* What operations do with a table, elements of which they take, change or look for at
   places that other operands say: places that are checked, changes by several threads,
   and the search in a sorted one. */
#ifndef PYCUDA_TABLES_CUH
#define PYCUDA_TABLES_CUH

#include "operations.cuh"

namespace pycuda
{

/* The place of element number `a` of n, counted from the end if it is below zero; if
   there is none, 0, and is_wrong becomes 1. */
PYCUDA_DEVICE long long checked_place(long long a, long long n, int *is_wrong)
{
    bool is_there = a >= -n && a < n;
    if (!is_there)
        *is_wrong = 1;
    return !is_there ? 0 : a < 0 ? a + n : a;
}

/* -- Elements that several threads change -- */

template <class T, int size> struct atomic_word {
    typedef unsigned type;
};
template <class T> struct atomic_word<T, 8> {
    typedef unsigned_ type;
};

/* *p = f(*p, b) in one step, by compare and swap of the word around *p, of up to 8
   bytes. */
template <class T, class B, class F> PYCUDA_DEVICE void at(T *p, B b, F f)
{
    typedef typename atomic_word<T, sizeof(T)>::type word;
    size_t offset = (size_t)p % sizeof(word);
    word *around = (word *)((char *)p - offset), seen = *(volatile word *)around;
    for (;;) {
        union {
            word all;
            char bytes[sizeof(word)];
        } next = {seen};
        T *element = (T *)(next.bytes + offset);
        *element = convert<T>(B(f(convert<B>(*element), b)));
        word before = atomicCAS(around, seen, next.all);
        if (before == seen)
            return;
        seen = before;
    }
}
template <class T, class B> PYCUDA_DEVICE void at_add(T *p, B b)
{
    at(p, b, [](B x, B y) { return add(x, y); });
}
PYCUDA_DEVICE void at_add(int *p, int b) { atomicAdd(p, b); }
PYCUDA_DEVICE void at_add(unsigned *p, unsigned b) { atomicAdd(p, b); }
PYCUDA_DEVICE void at_add(signed_ *p, signed_ b) { atomicAdd((unsigned_ *)p, b); }
PYCUDA_DEVICE void at_add(unsigned_ *p, unsigned_ b) { atomicAdd(p, b); }
PYCUDA_DEVICE void at_add(float *p, float b) { atomicAdd(p, b); }
PYCUDA_DEVICE void at_add(double *p, double b) { atomicAdd(p, b); }

/* -- Sorted arrays -- */

/* NumPy's order of sorting: NaNs come last. */
template <class T> PYCUDA_DEVICE bool sorts_before(T a, T b)
{
    return a < b || (b != b && a == a);
}
#ifdef PYCUDA_COMPLEX_HPP
/* Of complex numbers those with one come after all others, as numpy.sort says. */
template <class T> PYCUDA_DEVICE bool sorts_before(complex<T> a, complex<T> b)
{
    T ar = a.real(), ai = a.imag(), br = b.real(), bi = b.imag();
    bool ends_before = bi != bi && ai == ai;
    if (ar < br)
        return ai == ai || bi != bi;
    if (ar > br)
        return ends_before;
    if (ar == br || (ar != ar && br != br))
        return ai < bi || ends_before;
    return br != br;
}
#endif

/* Before which of n sorted elements x comes, or if it is equal to some, also behind
   those. */
template <bool is_behind, class T, class V>
PYCUDA_DEVICE long long search(const T *t, long long n, V x)
{
    long long low = 0;
    while (n > 0) {
        long long half = n / 2;
        V middle = convert<V>(t[low + half]);
        bool is_right = is_behind ? !sorts_before(x, middle) : sorts_before(middle, x);
        low = is_right ? low + half + 1 : low;
        n = is_right ? n - half - 1 : half;
    }
    return low;
}

} // namespace pycuda

#endif
