/* Element-wise kernels for arrays of which some lie side by side along another axis than
   the result, on a GPU: a transposed array that is copied, say. A block takes a square
   of elements along both axes. What lies along the other one is read along that one and
   goes through shared memory, so that neighbours are read and written together. */
#ifndef PYCUDA_TILES_CUH
#define PYCUDA_TILES_CUH

#include "strided.cuh"

namespace pycuda
{

/* An array whose elements lie side by side along axis 1; k: operands have one each. */
template <class T, class C, int k> struct across : in<T, C> {
};

template <class A> struct shared_tile {
    enum { bytes = 0 };
};
template <class T, class C, int k> struct shared_tile<across<T, C, k>> {
    enum { bytes = sizeof(C) };
};

/* The launcher has these numbers, too. */
template <class... A> struct tile_shape {
    enum {
        bytes = (shared_tile<A>::bytes + ... + 0),
        side = bytes > 8 ? 32 : 64,
        width = 32,
        height = 8,
        each = side * side / (width * height)
    };
};

/* Where the block's tile is, and how much of a tile is there. */
template <int count> struct tile_place {
    long long at[count]; /* bytes from the start of each operand */
    int columns, rows;

    PYCUDA_DEVICE tile_place(const iteration_space<count> &space, unsigned side)
    {
        unsigned bands = (space.length[1] + side - 1) / side;
        unsigned left = space.divided(blockIdx.x, 0);
        long long column = (long long)(blockIdx.x - left * space.length[0]) * side;
        unsigned row = left / bands, band = (left - row * bands) * side;
        long long rest = space.columns - column;
        columns = rest < side ? int(rest) : side;
        rows = space.length[1] - band < side ? space.length[1] - band : side;
        for (int k = 0; k < count; k++)
            at[k] = column * space.stride[k][0] + band * space.stride[k][1];
#pragma unroll 1
        for (unsigned d = 2; d < space.axes; d++) {
            unsigned next = row / space.length[d];
            unsigned coordinate = row - next * space.length[d];
            for (int k = 0; k < count; k++)
                at[k] += coordinate * space.stride[k][d];
            row = next;
        }
    }
};

/* f(element of the thread, place along x, along y), of those that are there. */
template <class Shape, class F>
PYCUDA_DEVICE void for_each_of_tile(int columns, int rows, F f)
{
#pragma unroll
    for (int k = 0; k < Shape::each; k++) {
        int x = threadIdx.x + k % (Shape::side / Shape::width) * Shape::width;
        int y = threadIdx.y + k / (Shape::side / Shape::width) * Shape::height;
        if (x < columns && y < rows)
            f(k, x, y);
    }
}

/* An operand and its values for the elements of a thread. */
template <class Shape, class A> struct held_tile {
    typedef typename A::compute compute;
    A a;
    compute v[Shape::each];

    PYCUDA_DEVICE explicit held_tile(A a) : a(a) {}

    PYCUDA_DEVICE A moved(long long bytes) const
    {
        A there = a;
        there.move(&bytes);
        return there;
    }
    static PYCUDA_DEVICE compute (&one(compute &v))[1] { return *(compute(*)[1])&v; }

    template <class T, class C, int n>
    PYCUDA_DEVICE void fill(across<T, C, n>, const long long *, long long step,
                            int columns, int rows)
    {
        __shared__ __align__(16) char memory[Shape::side * (Shape::side + 1) * sizeof(C)];
        C *tile = (C *)memory;
        for_each_of_tile<Shape>(rows, columns, [&](int k, int x, int y) {
            moved(y * step).load(one(v[k]), x);
        });
        for_each_of_tile<Shape>(rows, columns,
             [&](int k, int x, int y) { tile[x * (Shape::side + 1) + y] = v[k]; });
        __syncthreads();
        for_each_of_tile<Shape>(columns, rows,
             [&](int k, int x, int y) { v[k] = tile[y * (Shape::side + 1) + x]; });
    }
    template <class B>
    PYCUDA_DEVICE void fill(B, const long long *row, long long step, int columns,
                            int rows)
    {
        for_each_of_tile<Shape>(columns, rows, [&](int k, int x, int y) {
            moved(A::steps ? x * step + y * *row : 0).load(one(v[k]), 0);
        });
    }
    template <int count>
    PYCUDA_DEVICE int load(const iteration_space<count> &space, int n,
                           const tile_place<count> &p)
    {
        if (A::steps)
            a.move(p.at + n);
        fill(a, A::steps ? &space.stride[n][1] : 0, A::steps ? space.stride[n][0] : 0,
             p.columns, p.rows);
        return A::steps;
    }
    template <int count>
    PYCUDA_DEVICE int store(const iteration_space<count> &space, int n,
                            const tile_place<count> &p)
    {
        for_each_of_tile<Shape>(p.columns, p.rows, [&](int k, int x, int y) {
            moved(A::steps ? x * space.stride[n][0] + y * space.stride[n][1] : 0)
                .store(one(v[k]), 0);
        });
        return A::steps;
    }
};

template <class Op, class Shape, int count, class... H>
PYCUDA_DEVICE void work_on_tile(const iteration_space<count> &space, H... h)
{
    tile_place<count> p(space, Shape::side);
    int n = 0;
    ((n += h.load(space, n, p)), ...);
    for_each_of_tile<Shape>(p.columns, p.rows,
                            [&](int k, int, int) { Op::of(h.v[k]...); });
    n = 0;
    ((n += h.store(space, n, p)), ...);
}

template <class Op, int count, class... A>
PYCUDA_DEVICE void tiles(const iteration_space<count> &space, A... a)
{
    typedef tile_shape<A...> shape;
    work_on_tile<Op, shape>(space, held_tile<shape, A>(a)...);
}

} // namespace pycuda

#endif
