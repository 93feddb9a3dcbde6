/* Products of a sparse matrix and a vector; sparse_dense.cuh has those with a matrix. A
   matrix is stored by rows: the elements starts[row] to starts[row + 1] of `columns`
   and `data` are its row.

   Rows are of very unlike lengths, so blocks do not take so many rows each: tile number
   k, a block's, begins at element tile_elements[k] in row tile_rows[k] (Tiles of
   pycuda/sparse/_tiles.py). It has whole rows, with `csr_capacity` elements at most on
   a GPU, or a piece of one row. Sums of rows that were cut go to `partial`, one for
   each tile, and a second launch adds them in their order: results depend on no timing.

   On a GPU a block multiplies the elements of its tile in the order in which they lie,
   and groups of lanes add rows up in shared memory. On the host device a warp, and so a
   vector of hostcc, is a block: what all lanes do alike is scalar code, which is best
   for rows of a few elements anywhere in x; a long row is all lanes'. Under checks each
   lane has rows of its own, for threads that write the same value are reported. */
#ifndef PYCUDA_SPARSE_CUH
#define PYCUDA_SPARSE_CUH

#include "warp.cuh"

namespace pycuda
{

enum {
    csr_block = 256,      /* threads of a block on a GPU */
    csr_capacity = 2048,  /* products that its shared memory holds */
    csr_ahead = 8,        /* elements of a thread under way together */
    csr_group_turns = 16, /* elements of a row to each lane of its group on a GPU */
};

template <class A, class I> struct csr_matrix {
    const I *tile_rows, *tile_elements, *starts, *columns;
    const A *data;
};

/* The sum of all lanes of each group of `width`, in each of them. */
template <class Y> PYCUDA_DEVICE Y sum_of_group(Y sum, int width)
{
    for (int w = 1; w < width; w *= 2)
        sum += shuffle<lane_xor>(sum, w);
    return sum;
}

/* Where the n sums of this block's tile go, which is of one row or a piece of it. */
template <class Y, class A, class I>
PYCUDA_DEVICE Y *place_of_row(const csr_matrix<A, I> &m, size_t n, Y *y, Y *partial)
{
    I k = blockIdx.x, row = m.tile_rows[k];
    return m.starts[row] == m.tile_elements[k] &&
                   m.starts[row + 1] == m.tile_elements[k + 1]
               ? y + row * n
               : partial + k * n;
}

#if defined(__HOSTCC__) && !defined(PYCUDA_GPU_SHAPE)

/* The sum of every step-th product from k to end. */
template <class Y, class A, class I>
PYCUDA_DEVICE Y products(I k, I end, int step, const I *columns, const A *data,
                         const Y *x)
{
    Y sum = Y(0);
    for (; k < end; k += step)
        sum += convert<Y>(data[k]) * x[columns[k]];
    return sum;
}

/* y = matrix x */
template <class Y, class A, class I>
PYCUDA_DEVICE void csr_product(csr_matrix<A, I> m, const Y *x, Y *y, Y *partial)
{
    __syncwarp(); /* makes vectors warps, so that each row is done once */
    I k = blockIdx.x, row = m.tile_rows[k], end = m.tile_rows[k + 1];
    if (end - row <= 1) {
        I first = m.tile_elements[k], last = m.tile_elements[k + 1];
        Y sum = products(I(first + threadIdx.x), last, 32, m.columns, m.data, x);
        sum = sum_of_group(sum, 32);
        if (threadIdx.x == 0)
            *place_of_row(m, 1, y, partial) = sum;
        return;
    }
    I step = 1;
#ifdef __HOSTCC_CHECK__
    row += threadIdx.x;
    step = 32;
#endif
    for (; row < end; row += step)
        y[row] = products(m.starts[row], m.starts[row + 1], 1, m.columns, m.data, x);
}

#else

/* products[i] = the product of element number i of `count`, by all threads. */
template <class Y, class A, class I>
PYCUDA_DEVICE void csr_multiply(int count, const I *columns, const A *data, const Y *x,
                                Y *products)
{
    for (int i = threadIdx.x; i < count; i += csr_ahead * csr_block) {
        Y value[csr_ahead];
#pragma unroll
        for (int j = 0; j < csr_ahead; j++) {
            int at = i + j * csr_block;
            value[j] = at < count ? convert<Y>(data[at]) * x[columns[at]] : Y(0);
        }
#pragma unroll
        for (int j = 0; j < csr_ahead; j++)
            if (i + j * csr_block < count)
                products[i + j * csr_block] = value[j];
    }
}

/* The sum of every step-th product from `from` to `to`. */
template <class Y>
PYCUDA_DEVICE Y add_products(const Y *products, int from, int to, int step)
{
    Y sum = Y(0);
    for (; from < to; from += step)
        sum += products[from];
    return sum;
}

/* y = the sums of rows, by groups of as many lanes as there are threads to a row; a row
   that is much longer than its group is the whole warp's. */
template <class Y, class I>
PYCUDA_DEVICE void csr_add_rows(int rows, const I *starts, const Y *products, Y *y)
{
    int width = 1, lane = threadIdx.x % 32;
    while (width < 32 && 2 * width * rows <= csr_block)
        width *= 2;
    I origin = starts[0];
    for (int first = 0; first < rows; first += csr_block / width) {
        int row = first + threadIdx.x / width, from = 0, to = 0;
        if (row < rows) {
            from = int(starts[row] - origin);
            to = int(starts[row + 1] - origin);
        }
        int is_long = width < 32 && to - from > csr_group_turns * width;
        Y sum = is_long ? Y(0) : add_products(products, from + lane % width, to, width);
        sum = sum_of_group(sum, width);
        unsigned left = __ballot_sync(~0u, is_long && lane % width == 0);
        for (; left; left &= left - 1) {
            int owner = __ffs(left) - 1;
            int begin = __shfl_sync(~0u, from, owner),
                end = __shfl_sync(~0u, to, owner);
            Y all = sum_of_group(add_products(products, begin + lane, end, 32), 32);
            sum = lane == owner ? all : sum;
        }
        if (row < rows && lane % width == 0)
            y[row] = sum;
    }
}

/* The sum of a piece of a row, by all threads. */
template <class Y, class A, class I>
PYCUDA_DEVICE void csr_add_piece(I count, const I *columns, const A *data, const Y *x,
                                 Y *products, Y *y)
{
    Y sum = Y(0);
    for (I i = threadIdx.x; i < count; i += csr_ahead * csr_block) {
        Y value[csr_ahead];
#pragma unroll
        for (int j = 0; j < csr_ahead; j++) {
            size_t at = i + size_t(j) * csr_block;
            value[j] = at < count ? convert<Y>(data[at]) * x[columns[at]] : Y(0);
        }
#pragma unroll
        for (int j = 0; j < csr_ahead; j++)
            sum += value[j];
    }
    sum = sum_of_group(sum, 32);
    if (threadIdx.x % 32 == 0)
        products[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    sum = threadIdx.x < csr_block / 32 ? products[threadIdx.x] : Y(0);
    sum = sum_of_group(sum, 32);
    if (threadIdx.x == 0)
        *y = sum;
}

/* y = matrix x */
template <class Y, class A, class I>
PYCUDA_DEVICE void csr_product(csr_matrix<A, I> m, const Y *x, Y *y, Y *partial)
{
    __shared__ __align__(16) char memory[sizeof(Y) * csr_capacity];
    Y *products = (Y *)memory;
    I k = blockIdx.x, row = m.tile_rows[k], end = m.tile_rows[k + 1];
    I first = m.tile_elements[k], count = m.tile_elements[k + 1] - first;
    if (end - row <= 1) {
        csr_add_piece(count, m.columns + first, m.data + first, x, products,
                      place_of_row(m, 1, y, partial));
        return;
    }
    csr_multiply(int(count), m.columns + first, m.data + first, x, products);
    __syncthreads();
    csr_add_rows(int(end - row), m.starts + row, products, y + row);
}

#endif

/* The sums of rows that were cut: cut number i has the tiles cuts[2 i] to cuts[2 i +
   1]. A warp adds up what they have of a column. */
template <class Y, class I>
PYCUDA_DEVICE void csr_add_cuts(const I *cuts, const I *tile_rows, size_t n,
                                const Y *partial, Y *y)
{
    I first = cuts[2 * blockIdx.x], end = cuts[2 * blockIdx.x + 1];
    for (size_t column = blockIdx.y; column < n; column += gridDim.y) {
        Y sum = Y(0);
        for (size_t k = first + threadIdx.x; k < end; k += 32)
            sum += partial[k * n + column];
        sum = sum_of_group(sum, 32);
        if (threadIdx.x == 0)
            y[tile_rows[first] * n + column] = sum;
    }
}

} // namespace pycuda

#endif
