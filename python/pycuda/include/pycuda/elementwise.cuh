/* Element-wise kernels. A generated kernel names its operands, each a small struct that
   loads from memory into the type the operation computes in and stores back, and an
   operation:

       struct operation {
           static PYCUDA_DEVICE void of(float &z, float a, float b) { z = a + b; }
       };
       extern "C" __global__ void add(size_t n, pycuda::out<float> z,
                                      pycuda::in<float> a, pycuda::in<short, float> b)
       {
           pycuda::flat<operation>(n, z, a, b);
       }

   `flat` is for arrays that lie alike and without gaps; strided.cuh has what the others
   take. On a GPU a thread of `flat` takes 16 or 32 bytes of the widest operand; hostcc
   makes vectors of threads, so there it takes one element. */
#ifndef PYCUDA_ELEMENTWISE_CUH
#define PYCUDA_ELEMENTWISE_CUH

#include "tables.cuh"

namespace pycuda
{

/* -- Operands: T in memory, C in the operation -- */

/* is_wide: loads of several elements at once have to be aligned. */
template <class T, class C = T> struct in {
    typedef C compute;
    enum { size = sizeof(T), steps = 1, is_wide = 1 };
    const T *p;

    PYCUDA_DEVICE void load(C (&v)[1], size_t i) const { v[0] = convert<C>(p[i]); }
    template <int V> PYCUDA_DEVICE void load(C (&v)[V], size_t i) const
    {
        pack<T, V> t = *(const pack<T, V> *)(p + i);
        for (int k = 0; k < V; k++)
            v[k] = convert<C>(t.x[k]);
    }
    template <int V> PYCUDA_DEVICE void store(C (&)[V], size_t) const {}
    PYCUDA_DEVICE void move(const long long *offset)
    {
        p = (const T *)((const char *)p + *offset);
    }
};

template <class T, class C = T> struct out {
    typedef C compute;
    enum { size = sizeof(T), steps = 1, is_wide = 1 };
    T *p;

    template <int V> PYCUDA_DEVICE void load(C (&)[V], size_t) const {}
    PYCUDA_DEVICE void store(C (&v)[1], size_t i) const { p[i] = convert<T>(v[0]); }
    template <int V> PYCUDA_DEVICE void store(C (&v)[V], size_t i) const
    {
        pack<T, V> t;
        for (int k = 0; k < V; k++)
            t.x[k] = convert<T>(v[k]);
        *(pack<T, V> *)(p + i) = t;
    }
    PYCUDA_DEVICE void move(const long long *offset) { p = (T *)((char *)p + *offset); }
};

/* An array of which all threads along axis 0 take the same element: one for all V. */
template <class T, class C = T> struct fixed : in<T, C> {
    enum { size = 1, is_wide = 0 };
    template <int V> PYCUDA_DEVICE void load(C (&v)[V], size_t) const
    {
        for (int k = 0; k < V; k++)
            v[k] = convert<C>(*this->p);
    }
};

/* What has no elements: loading gives the same to all, storing does nothing. */
template <class C> struct constant {
    typedef C compute;
    enum { size = 1, steps = 0, is_wide = 0 };
    C p;

    template <int V> PYCUDA_DEVICE void load(C (&v)[V], size_t) const
    {
        for (int k = 0; k < V; k++)
            v[k] = p;
    }
    template <int V> PYCUDA_DEVICE void store(C (&)[V], size_t) const {}
    PYCUDA_DEVICE void move(const long long *) {}
};

/* An array of which the operation has pointers to elements: those of a row follow one
   another, or step is 0 and it is one. */
template <class T, int step> struct base {
    typedef T *compute;
    enum { size = step ? sizeof(T) : 1, steps = 1, is_wide = 0 };
    T *p;

    template <int V> PYCUDA_DEVICE void load(T *(&v)[V], size_t i) const
    {
        for (int k = 0; k < V; k++)
            v[k] = p + step * (i + k);
    }
    template <int V> PYCUDA_DEVICE void store(T *(&)[V], size_t) const {}
    PYCUDA_DEVICE void move(const long long *offset) { p = (T *)((char *)p + *offset); }
};

/* The number of the element; of flat kernels only. */
template <class C> struct index {
    typedef C compute;
    enum { size = 1, steps = 0, is_wide = 0 };

    template <int V> PYCUDA_DEVICE void load(C (&v)[V], size_t i) const
    {
        for (int k = 0; k < V; k++)
            v[k] = C(i + k);
    }
    template <int V> PYCUDA_DEVICE void store(C (&)[V], size_t) const {}
    PYCUDA_DEVICE void move(const long long *) {}
};

/* An operand and its values for V elements. */
template <int V, class A> struct held {
    A a;
    typename A::compute v[V];
    PYCUDA_DEVICE held(A a, size_t i) : a(a) { a.load(v, i); }
};

template <class Op, int V, class... H> PYCUDA_DEVICE void work(size_t i, H... h)
{
    for (int k = 0; k < V; k++)
        Op::of(h.v[k]...);
    (h.a.store(h.v, i), ...);
}

/* The same for elements a block's width apart, numbers `from` to `from` + V, of a row
   that has `rest` from number 0 on. stride: of neighbours, in bytes; null if they lie
   side by side. */
template <int V, class A> struct held_apart {
    typedef typename A::compute compute;
    A a;
    long long bytes;
    unsigned by, from;
    compute v[V];

    PYCUDA_DEVICE held_apart(A a, unsigned from) : a(a), from(from) {}
    PYCUDA_DEVICE A at(int k) const
    {
        A moved = a;
        long long offset = (from + k) * bytes;
        moved.move(&offset);
        return moved;
    }
    PYCUDA_DEVICE int load(size_t i, const long long *stride, size_t rest)
    {
        bytes = stride && A::steps ? blockDim.x * *stride : 0;
        by = stride ? 0 : blockDim.x;
#pragma unroll
        for (int k = 0; k < V; k++)
            if ((from + k) * blockDim.x < rest)
                at(k).load(*(compute(*)[1])(v + k), i + (from + k) * by);
        return A::steps;
    }
    PYCUDA_DEVICE void store(size_t i, size_t rest)
    {
#pragma unroll
        for (int k = 0; k < V; k++)
            if ((from + k) * blockDim.x < rest)
                at(k).store(*(compute(*)[1])(v + k), i + (from + k) * by);
    }
};

template <class Op, int V, class Strides, class... H>
PYCUDA_DEVICE void work_on_held(Strides stride, size_t i, size_t rest, unsigned from,
                                H... h)
{
    int n = 0;
    ((n += h.load(i, stride(n), rest)), ...);
#pragma unroll
    for (int k = 0; k < V; k++)
        if ((from + k) * blockDim.x < rest)
            Op::of(h.v[k]...);
    (h.store(i, rest), ...);
}

/* V of them; more than four in turns: together they would take registers that leave a
   GPU half of its threads, which those of aligned ones would miss, too. */
template <class Op, int V, class Strides, class... A>
PYCUDA_DEVICE void work_apart(Strides stride, size_t i, size_t rest, A... a)
{
    enum { most = 4 };
    if constexpr (V <= most)
        work_on_held<Op, V>(stride, i, rest, 0, held_apart<V, A>(a, 0)...);
    else
#pragma unroll 1
        for (unsigned from = 0; from < V && from * blockDim.x < rest; from += most)
            work_on_held<Op, most>(stride, i, rest, from,
                                   held_apart<most, A>(a, from)...);
}

/* -- Flat -- */

/* Whether loads of V elements at once are aligned. */
template <int V, class A> PYCUDA_DEVICE bool is_aligned(A a)
{
    enum { bytes = A::size * V };
    return !A::is_wide || *(const size_t *)&a % (bytes > 16 ? 16 : bytes) == 0;
}

/* 16 bytes of the widest operand. The launcher knows. */
template <class... A> struct elements_at_once {
    enum { widest = largest<A::size...>::value, value = 16 % widest ? 1 : 16 / widest };
};

template <class A> struct stored_bytes {
    enum { value = 0 };
};
template <class T, class C> struct stored_bytes<out<T, C>> {
    enum { value = sizeof(T) };
};

/* Twice as many where results have a quarter of its bytes at most, as those of
   comparisons: a block moves too little otherwise. The launcher knows this, too. */
template <class... A> struct flat_elements {
    typedef elements_at_once<A...> once;
    enum {
        result = largest<stored_bytes<A>::value...>::value,
        is_narrow = result && 4 * result <= once::widest && 16 % once::widest == 0,
        value = is_narrow ? 2 * once::value : once::value
    };
};

template <class Op, class... A> PYCUDA_DEVICE void flat(size_t n, A... a)
{
    size_t begin = (size_t)blockIdx.x * blockDim.x, i = begin + threadIdx.x;
#ifndef PYCUDA_GPU_SHAPE
    if (i < n)
        work<Op, 1>(i, held<1, A>(a, i)...);
#else
    const int V = flat_elements<A...>::value;
    if ((is_aligned<V>(a) && ...) && (begin + blockDim.x) * V <= n) {
        work<Op, V>(i * V, held<V, A>(a, i * V)...);
    } else {
        size_t first = begin * V + threadIdx.x;
        if (first < n)
            work_apart<Op, V>([](int) { return (const long long *)0; }, first,
                              n - first, a...);
    }
#endif
}

/* -- The loop of a kernel that a user wrote: `i` over [0, n), or start to stop -- */

/* Four elements a thread, a block's width apart: their loads are under way together, if
   the compiler knows that what is stored is not what is loaded. */
template <class Body> PYCUDA_DEVICE void near_four(size_t n, Body body)
{
    size_t width = blockDim.x, i = 4 * width * blockIdx.x + threadIdx.x;
    if (i + 3 * width < n)
#pragma unroll
        for (int k = 0; k < 4; k++)
            body(i + k * width);
    else
        for (; i < n; i += width)
            body(i);
}

} // namespace pycuda

#ifdef __HOSTCC__
/* As many threads as elements. `do`: for `continue` and `break` in the user's code. */
#define PYCUDA_LOOP                                    \
    i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; \
    if (i < n)                                         \
        do {
#define PYCUDA_RANGE_LOOP                                             \
    i = start + ((long)blockIdx.x * blockDim.x + threadIdx.x) * step; \
    if (step < 0 ? i > stop : i < stop)                               \
        do {
#define PYCUDA_LOOP_END \
    }                   \
    while (0)           \
        ;
#else
#define PYCUDA_LOOP                                                \
    for (i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; \
         i += (size_t)gridDim.x * blockDim.x) {
#define PYCUDA_RANGE_LOOP                                                  \
    for (i = start + ((long)blockIdx.x * blockDim.x + threadIdx.x) * step; \
         step < 0 ? i > stop : i < stop; i += (long)gridDim.x * blockDim.x * step) {
#define PYCUDA_LOOP_END }
/* With as many blocks as it takes. */
#define PYCUDA_APART_LOOP auto pycuda_body = [&](size_t i) { do {
#define PYCUDA_APART_LOOP_END \
    }                        \
    while (0)                \
        ;                    \
    }                        \
    ;                        \
    pycuda::near_four(n, pycuda_body);
#endif

#endif
