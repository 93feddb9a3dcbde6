/* Element-wise kernels for arrays that are no single stretch of memory. A thread finds
   its place without divisions, and hostcc makes vectors of the threads of a row. */
#ifndef PYCUDA_STRIDED_CUH
#define PYCUDA_STRIDED_CUH

#include "elementwise.cuh"

namespace pycuda
{

enum { space_axes = 6 }; /* the launcher takes more apart */

/* How `count` operands of a shape lie: axis 0 is the fastest, strides in bytes. Threads
   of x go along axis 0, threads of y along all others. length[0] is in blocks: how many
   a row has. */
template <int count> struct iteration_space {
    long long columns;
    unsigned rows, axes;
    unsigned length[space_axes], magic[space_axes], shift[space_axes];
    long long stride[count][space_axes];

    /* n / length[d], without a division. */
    PYCUDA_DEVICE unsigned divided(unsigned n, unsigned d) const
    {
        unsigned high = (unsigned)((unsigned long long)n * magic[d] >> 32);
        return (high + n) >> shift[d];
    }
};

/* On the host device callers go to the row by themselves: hostcc looks at the end of a
   row once for all of its vectors where nothing but that test comes first. */
template <int count> struct place {
    bool is_inside;
    unsigned row;
    long long column, at[count]; /* bytes from the start of each operand */

    /* steps: bit k: operand k goes to the column, too. each: elements of a row that a
       thread takes, a block's width apart. */
    PYCUDA_DEVICE place(const iteration_space<count> &space, int steps, int each = 1)
        : place(space, steps, blockDim.x * each, blockDim.y, threadIdx.x, threadIdx.y)
    {
    }

    /* Of a block of width x height places the one at (x, y). */
    PYCUDA_DEVICE place(const iteration_space<count> &space, int steps, unsigned width,
                        unsigned height, unsigned x, unsigned y)
    {
        unsigned band = space.divided(blockIdx.x, 0);
        row = band * height + y;
        column = (long long)(blockIdx.x - band * space.length[0]) * width + x;
        is_inside = column < space.columns && row < space.rows;
        for (int k = 0; k < count; k++)
            at[k] = steps >> k & 1 ? column * space.stride[k][0] : 0;
#ifdef PYCUDA_GPU_SHAPE
        go_to_row(space);
#endif
    }

    /* `row` counts the rows along axis d and those behind it, then those behind it. */
    PYCUDA_DEVICE void go_along(const iteration_space<count> &space, unsigned d)
    {
        unsigned next = space.divided(row, d);
        unsigned coordinate = row - next * space.length[d];
        for (int k = 0; k < count; k++)
            at[k] += coordinate * space.stride[k][d];
        row = next;
    }

    PYCUDA_DEVICE void go_to_row(const iteration_space<count> &space)
    {
        unsigned d = 1;
#ifndef PYCUDA_GPU_SHAPE
        go_along(space, d++); /* which without a loop is done once a row */
        go_along(space, d++);
#endif
#pragma unroll 1 /* of few axes mostly; and so there is less to compile */
        for (; d < space.axes; d++)
            go_along(space, d);
    }
};

/* step: 1 if the elements of a row do not lie side by side, else 0. On a GPU a thread
   takes as many elements as in `flat`, neighbours where they are aligned; the launcher
   knows. */
template <class Op, int step, int count, class... A>
PYCUDA_DEVICE void rows(const iteration_space<count> &space, A... a)
{
    int k = 0;
#ifndef PYCUDA_GPU_SHAPE
    place<count> p(space, -step);
    if (!p.is_inside)
        return;
    p.go_to_row(space);
    ((a.move(p.at + k), k += A::steps), ...);
    size_t i = step ? 0 : p.column;
    work<Op, 1>(i, held<1, A>(a, i)...);
#else
    const int V = elements_at_once<A...>::value;
    place<count> p(space, -step, V);
    if (!p.is_inside)
        return;
    ((a.move(p.at + k), k += A::steps), ...);
    size_t i = step ? 0 : p.column;
    if (!step && V > 1 && space.columns % V == 0 && (is_aligned<V>(a) && ...)) {
        i += threadIdx.x * (V - 1);
        if (i < space.columns)
            work<Op, V>(i, held<V, A>(a, i)...);
        return;
    }
    work_apart<Op, V>([&](int n) { return step ? space.stride[n] : 0; }, i,
                      space.columns - p.column, a...);
#endif
}

#ifndef PYCUDA_GPU_SHAPE
/* Operands whose elements are so many apart, by a number of the kernel's or of the
   space's: in the latter case the column is in the place. */
template <class A, int step> struct stepped : A {
    typedef typename A::compute compute;
    PYCUDA_DEVICE void load(compute (&v)[1], size_t i) const { A::load(v, i * step); }
    PYCUDA_DEVICE void store(compute (&v)[1], size_t i) const { A::store(v, i * step); }
};
template <class A> struct apart : stepped<A, 0> {
};

/* The same for rows of which some operand's elements are a few apart: vectors take the
   memory between them in whole registers. parted: bit k: operand k is `apart`. */
template <class Op, int parted, int count, class... A>
PYCUDA_DEVICE void stepped_rows(const iteration_space<count> &space, A... a)
{
    place<count> p(space, parted);
    int k = 0;
    if (!p.is_inside)
        return;
    p.go_to_row(space);
    ((a.move(p.at + k), k += A::steps), ...);
    work<Op, 1>(p.column, held<1, A>(a, p.column)...);
}

/* The same for short rows without gaps that end within a vector. Each vector asks where
   its row ends: hostcc calls a function for what is left of one where it asks once. */
template <class Op, int count, class... A>
PYCUDA_DEVICE void short_rows(const iteration_space<count> &space, A... a)
{
    place<count> p(space, 0);
    int k = 0;
    p.go_to_row(space);
    if (!p.is_inside)
        return;
    ((a.move(p.at + k), k += A::steps), ...);
    work<Op, 1>(p.column, held<1, A>(a, p.column)...);
}
#endif

} // namespace pycuda

#endif
