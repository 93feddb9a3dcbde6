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

template <int count> struct place {
    bool is_inside;
    long long column, at[count]; /* bytes from the start of each operand */

    /* each: elements of a row that a thread takes, a block's width apart. */
    PYCUDA_DEVICE place(const iteration_space<count> &space, int step, int each = 1)
        : place(space, step, blockDim.x * each, blockDim.y, threadIdx.x, threadIdx.y)
    {
    }

    /* Of a block of width x height places the one at (x, y). */
    PYCUDA_DEVICE place(const iteration_space<count> &space, int step, unsigned width,
                        unsigned height, unsigned x, unsigned y)
    {
        unsigned band = space.divided(blockIdx.x, 0), row = band * height + y;
        column = (long long)(blockIdx.x - band * space.length[0]) * width + x;
        is_inside = column < space.columns && row < space.rows;
        for (int k = 0; k < count; k++)
            at[k] = step ? column * space.stride[k][0] : 0;
#pragma unroll 1 /* of few axes mostly; and so there is less to compile */
        for (unsigned d = 1; d < space.axes; d++) {
            unsigned next = space.divided(row, d);
            unsigned coordinate = row - next * space.length[d];
            for (int k = 0; k < count; k++)
                at[k] += coordinate * space.stride[k][d];
            row = next;
        }
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
    place<count> p(space, step);
    if (!p.is_inside)
        return;
    ((a.move(p.at + k), k += A::steps), ...);
    size_t i = step ? 0 : p.column;
    work<Op, 1>(i, held<1, A>(a, i)...);
#else
    const int V = elements_at_once<A...>::value;
    place<count> p(space, step, V);
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
                      space.columns - p.column, held_apart<V, A>(a)...);
#endif
}

} // namespace pycuda

#endif
