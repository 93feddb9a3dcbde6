/* Reductions of arrays along an axis in which a thread has a result to itself: Op::first
   of the first elements, then Op::of, and Op::combine of what was made of some elements
   and of others. So it is on the host device, where hostcc makes vectors of threads side
   by side, and on a GPU along short axes; along others see axis_shared.cuh. */
#ifndef PYCUDA_AXIS_CUH
#define PYCUDA_AXIS_CUH

#include "moments.cuh"
#include "strided.cuh"

namespace pycuda
{

/* The axis that is reduced: distances in bytes. The rest is for those that share. */
template <int count> struct reduced_axis {
    long long length;
    double divisor; /* of sums; 1: none */
    unsigned *finished; /* how many blocks are, for each of gridDim.x; 0 at first */
    char *partial;      /* results of blocks */
    unsigned sharing;   /* threads of a block that share a result, a power of 2; */
    unsigned apart;     /* how far apart they are: 1, or as many as a block's results */
    unsigned width, height; /* results of a row that a block takes, and rows; likewise */
    unsigned is_rooted;     /* variances: their square roots are wanted */
    long long stride[count];
};

/* An operand of which all along the axis take the first element. */
template <class A> struct beginning : A {};

/* An operand whose elements are their places along the axis; its strides count them. */
template <class C, int step = 1> struct ramp {
    typedef C compute;
    enum { size = 1, steps = 1 };
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
        sum.squares = sqrt(sum.squares);
}

/* -- Folds of a thread -- */

template <class A> PYCUDA_DEVICE void load_on(held<1, A> &h, size_t i, long long bytes)
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
    template <class Op, int stored, int count, class... H>
    static PYCUDA_DEVICE void run(size_t i, const reduced_axis<count> &axis, H... h)
    {
        Op::first(h.v[0]...);
        for (long long k = 1; k < axis.length; k++) {
            load_all(i, axis, k, h...);
            Op::of(h.v[0]...);
        }
        store_first<stored>(i, h...);
    }
};

/* 16 elements, 16 of those results and so on are summed by themselves and combined by
   Op::combine: rounding errors hardly grow with the length. */
struct in_groups {
    template <class Op, int stored, int count, class Z, class... H>
    static PYCUDA_DEVICE void run(size_t i, const reduced_axis<count> &axis,
                                  held<1, Z> z, H... h)
    {
        enum { each = 16 };
        typename Z::compute all, part;
        long long k = 0;
        for (unsigned group = 0; k < axis.length; group++) {
            long long end = axis.length - k < each ? axis.length : k + each;
            load_all(i, axis, k, z, h...);
            Op::first(z.v[0], h.v[0]...);
            for (k++; k < end; k++) {
                load_all(i, axis, k, z, h...);
                Op::of(z.v[0], h.v[0]...);
            }
            if (group % each == 0)
                part = z.v[0];
            else
                Op::combine(part, z.v[0]);
            if (group < each)
                all = part;
            else if (group % each == each - 1 || k == axis.length)
                Op::combine(all, part);
        }
        z.v[0] = all;
        finish_sum(z.v[0], axis);
        z.a.store(z.v, i);
    }
};

template <class Op, bool is_sum, int stored, int step, int count, class... A>
PYCUDA_DEVICE void reduce_alone(const iteration_space<count> &space,
                               const reduced_axis<count> &axis, A... a)
{
    place<count> p(space, step);
    if (!p.is_inside)
        return;
    int k = 0;
    (a.move(p.at + k++), ...);
    size_t i = step ? 0 : p.column;
    if constexpr (is_sum)
        in_groups::run<Op, stored>(i, axis, held<1, A>(a, i)...);
    else
        in_order::run<Op, stored>(i, axis, held<1, A>(a, i)...);
}

} // namespace pycuda

#endif
