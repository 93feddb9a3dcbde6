/* Reductions of arrays along an axis in which a thread has a result to itself:
   Op::first of the first elements, then Op::of, and Op::combine of what was made of
   some elements and of others. So it is on the host device, where hostcc makes vectors
   of threads side by side, and on a GPU along short axes; along others see
   axis_shared.cuh. */
#ifndef PYCUDA_AXIS_CUH
#define PYCUDA_AXIS_CUH

#include "moments.cuh"
#include "strided.cuh"

namespace pycuda
{

/* The axis that is reduced: distances in bytes. The rest is for those that share. */
template <int count> struct reduced_axis {
    long long length;
    double divisor;     /* of sums; 1: none */
    unsigned *finished; /* how many blocks are, for each of gridDim.x; 0 at first */
    char *partial;      /* results of blocks */
    unsigned sharing;   /* threads of a block that share a result, a power of 2; */
    unsigned apart;     /* how far apart they are: 1, or as many as a block's results */
    unsigned width,
        height;         /* results of a row that a block takes, and rows; likewise */
    unsigned is_rooted; /* variances: their square roots are wanted */
    long long stride[count];
};

/* An operand of which all along the axis take the first element. */
template <class A> struct beginning : A {
};

/* An operand whose elements are their places along the axis; its strides count them. */
template <class C, int step = 1> struct ramp {
    typedef C compute;
    enum { size = 1, steps = 1, is_wide = 0 };
    const char *p;

    template <int V> PYCUDA_DEVICE void load(C (&v)[V], size_t i) const
    {
        for (int k = 0; k < V; k++)
            v[k] = C((size_t)p + step * (i + k));
    }
    template <int V> PYCUDA_DEVICE void store(C (&)[V], size_t) const {}
    PYCUDA_DEVICE void move(const long long *offset) { p += *offset; }
};

/* A sum over its divisor, which is 1 for other types. */
template <class T, int count>
PYCUDA_DEVICE void finish_sum(T &sum, const reduced_axis<count> &axis)
{
    if constexpr (is_float<T>::value)
        if (axis.divisor != 1)
            sum /= (T)axis.divisor;
}
template <class T, class R, int count>
PYCUDA_DEVICE void finish_sum(moments<T, R> &sum, const reduced_axis<count> &axis)
{
    finish_sum(sum.squares, axis);
    if (axis.is_rooted)
        sum.squares = ::sqrt(sum.squares);
}

/* -- Folds of a thread, which has V results side by side -- */

template <int V, class A>
PYCUDA_DEVICE void load_on(held<V, A> &h, size_t i, long long bytes)
{
    A moved = h.a;
    moved.move(&bytes);
    moved.load(h.v, i);
}
template <int count, class... H>
PYCUDA_DEVICE void load_all(size_t i, const reduced_axis<count> &axis, long long k,
                            H &...h)
{
    int n = 0;
    (load_on(h, i, k * axis.stride[n++]), ...);
}

/* The first results; the others are of use in between. */
template <int stored, class... H> PYCUDA_DEVICE void store_first(size_t i, H &...h)
{
    int n = 0;
    ((n++ < stored ? h.a.store(h.v, i) : (void)0), ...);
}

struct in_order {
    template <class Op, int stored, int V, int count, class... H>
    static PYCUDA_DEVICE void run(size_t i, const reduced_axis<count> &axis, H... h)
    {
        for (int v = 0; v < V; v++)
            Op::first(h.v[v]...);
        for (long long k = 1; k < axis.length; k++) {
            load_all(i, axis, k, h...);
            for (int v = 0; v < V; v++)
                Op::of(h.v[v]...);
        }
        store_first<stored>(i, h...);
    }
};

/* 16 elements, 16 of those results and so on are summed by themselves and combined by
   Op::combine: rounding errors hardly grow with the length. */
struct in_groups {
    template <class Op, int stored, int V, int count, class Z, class... H>
    static PYCUDA_DEVICE void run(size_t i, const reduced_axis<count> &axis,
                                  held<V, Z> z, H... h)
    {
        enum { each = 16 };
        typename Z::compute all[V], part[V];
        long long k = 0;
        for (unsigned group = 0; k < axis.length; group++) {
            long long end = axis.length - k < each ? axis.length : k + each;
            load_all(i, axis, k, z, h...);
            for (int v = 0; v < V; v++)
                Op::first(z.v[v], h.v[v]...);
            for (k++; k < end; k++) {
                load_all(i, axis, k, z, h...);
                for (int v = 0; v < V; v++)
                    Op::of(z.v[v], h.v[v]...);
            }
            for (int v = 0; v < V; v++) {
                if (group % each == 0)
                    part[v] = z.v[v];
                else
                    Op::combine(part[v], z.v[v]);
                if (group < each)
                    all[v] = part[v];
                else if (group % each == each - 1 || k == axis.length)
                    Op::combine(all[v], part[v]);
            }
        }
        for (int v = 0; v < V; v++) {
            z.v[v] = all[v];
            finish_sum(z.v[v], axis);
        }
        z.a.store(z.v, i);
    }
};

/* On a GPU a thread has as many results of rows as elements in `rows`; the launcher
   knows, and that they are aligned. */
template <class Op, bool is_sum, int stored, int step, int count, class... A>
PYCUDA_DEVICE void reduce_alone(const iteration_space<count> &space,
                                const reduced_axis<count> &axis, A... a)
{
#ifndef PYCUDA_GPU_SHAPE
    enum { V = 1 };
#else
    enum { V = step ? 1 : elements_at_once<A...>::value };
#endif
    place<count> p(space, -step, V);
    size_t i = p.column + threadIdx.x * (V - 1);
    if (!p.is_inside || i >= space.columns)
        return;
#ifndef PYCUDA_GPU_SHAPE
    p.go_to_row(space);
#endif
    int k = 0;
    (a.move(p.at + k++), ...);
    if (step)
        i = 0;
    if constexpr (is_sum)
        in_groups::run<Op, stored, V>(i, axis, held<V, A>(a, i)...);
    else
        in_order::run<Op, stored, V>(i, axis, held<V, A>(a, i)...);
}

} // namespace pycuda

#endif
