/* Products of a sparse matrix, cut into tiles as sparse.cuh says, and a dense one of n
   columns, whose rows are `down` elements apart; the result has no gaps. Threads of a
   block along x take columns, so that each element of the sparse matrix has them read
   one stretch of memory; the rows of threads, groups, share the tile out.

   Two kernels do it. Where all rows are short, a group takes a row at a time. Rows of
   very unlike lengths would leave groups without work: there a group takes as many
   elements as any other, from wherever they begin in a row, out of shared memory. That
   costs instructions, and with rows of one length a quarter of the speed. */
#ifndef PYCUDA_SPARSE_DENSE_CUH
#define PYCUDA_SPARSE_DENSE_CUH

#include "sparse.cuh"

namespace pycuda
{

enum {
    uneven_capacity = 1024, /* elements, and rows, of a tile of csr_product_uneven */
    uneven_ahead = 4,       /* elements of a thread under way together */
};

/* y = matrix x, a row to a group of threads; a piece of a row is all groups'. */
template <class Y, class A, class I>
PYCUDA_DEVICE void csr_product_matrix(csr_matrix<A, I> m, size_t n, const Y *x,
                                      size_t down, Y *y, Y *partial)
{
    __shared__ __align__(16) char memory[sizeof(Y) * csr_block];
    Y *sums = (Y *)memory;
    I k = blockIdx.x, first_row = m.tile_rows[k], end_row = m.tile_rows[k + 1];
    I first = m.tile_elements[k], last = m.tile_elements[k + 1];
    bool is_one = end_row - first_row <= 1;
    bool is_whole = m.starts[first_row] == first && m.starts[first_row + 1] == last;
    for (size_t c = blockIdx.y * (size_t)blockDim.x; c < n;
         c += gridDim.y * (size_t)blockDim.x) {
        size_t column = c + threadIdx.x;
        bool is_inside = column < n;
        const Y *at = x + (is_inside ? column : 0);
        for (I row = first_row + threadIdx.y; !is_one && row < end_row;
             row += blockDim.y) {
            Y sum = Y(0);
            I end = m.starts[row + 1];
#pragma unroll 4
            for (I e = m.starts[row]; e < end; e++)
                sum += convert<Y>(m.data[e]) * at[m.columns[e] * down];
            if (is_inside)
                y[row * n + column] = sum;
        }
        if (!is_one)
            continue;
        Y sum = Y(0);
#pragma unroll 4
        for (size_t e = first + threadIdx.y; e < last; e += blockDim.y)
            sum += convert<Y>(m.data[e]) * at[m.columns[e] * down];
        if (blockDim.y > 1) {
            sums[threadIdx.y * blockDim.x + threadIdx.x] = sum;
            __syncthreads();
            for (unsigned g = 1; threadIdx.y == 0 && g < blockDim.y; g++)
                sum += sums[g * blockDim.x + threadIdx.x];
            __syncthreads();
        }
        if (threadIdx.y == 0 && is_inside)
            (is_whole ? y + first_row * n : partial + k * n)[column] = sum;
    }
}

/* -- Rows of very unlike lengths, on a GPU ---------------------------------------- */

/* What threads of a block that multiplies by a matrix share. */
template <class Y, class I> struct uneven_room {
    Y data[uneven_capacity], tail[csr_block];
    I columns[uneven_capacity];
    int ends[uneven_capacity]; /* of rows, from the first element of the tile on */
    int tail_row[csr_block];
};

/* Fills it with tile number k. How many elements that has. */
template <class Y, class A, class I>
PYCUDA_DEVICE int uneven_fetch(csr_matrix<A, I> m, uneven_room<Y, I> &room, int rows)
{
    I k = blockIdx.x, first = m.tile_elements[k];
    int count = int(m.tile_elements[k + 1] - first);
    const I *starts = m.starts + m.tile_rows[k];
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (int i = thread; i < count; i += csr_block) {
        room.data[i] = convert<Y>(m.data[first + i]);
        room.columns[i] = m.columns[first + i];
    }
    for (int i = thread; i < rows; i += csr_block)
        room.ends[i] = rows == 1 ? count : int(starts[i + 1] - first);
    __syncthreads();
    return count;
}

/* The first row that ends behind element number k. */
template <class Y, class I>
PYCUDA_DEVICE int uneven_row_of(const uneven_room<Y, I> &room, int rows, int k)
{
    int row = 0;
    while (row < rows) {
        int middle = (row + rows) / 2;
        if (room.ends[middle] > k)
            rows = middle;
        else
            row = middle + 1;
    }
    return row;
}

/* The products of the elements from k to end of the tile and a column of x, row after
   row: a row that ends among them goes to y, but for the first one if it began earlier,
   which is returned. What is left of the last one becomes the group's tail. */
template <class Y, class I>
PYCUDA_DEVICE Y uneven_add_share(uneven_room<Y, I> &room, int rows, int k, int end,
                                 int row, const Y *x, size_t down, size_t n,
                                 bool is_inside, Y *y)
{
    Y sum = Y(0), head = Y(0);
    int slot = threadIdx.y * blockDim.x + threadIdx.x;
    int row_end = row < rows ? room.ends[row] : 0,
        row_begin = row ? room.ends[row - 1] : 0;
    bool is_head = row_begin < k;
    while (k < end) {
        Y value[uneven_ahead];
#pragma unroll
        for (int j = 0; j < uneven_ahead; j++)
            value[j] =
                k + j < end ? room.data[k + j] * x[room.columns[k + j] * down] : Y(0);
#pragma unroll
        for (int j = 0; j < uneven_ahead; j++, k++) {
            if (k >= end)
                break;
            sum += value[j];
            if (k + 1 < row_end)
                continue;
            if (is_head)
                head = sum;
            else if (is_inside)
                y[row * n] = sum;
            is_head = false;
            sum = Y(0);
            row_begin = row_end;
            while (++row < rows && room.ends[row] == row_begin)
                ;
            row_end = row < rows ? room.ends[row] : 0;
        }
    }
    room.tail[slot] = sum;
    if (threadIdx.x == 0)
        room.tail_row[threadIdx.y] = row_begin < end ? row : -1;
    return head;
}

/* The same as csr_product_matrix. A group of blockDim.x threads takes a share of the
   tile's elements, a column of x each; of rows that several groups have, the group at
   the end adds what others had of it. */
template <class Y, class A, class I>
PYCUDA_DEVICE void csr_product_uneven(csr_matrix<A, I> m, size_t n, const Y *x,
                                      size_t down, Y *y, Y *partial)
{
    __shared__ __align__(16) char memory[sizeof(uneven_room<Y, I>)];
    uneven_room<Y, I> &room = *(uneven_room<Y, I> *)memory;
    I first_row = m.tile_rows[blockIdx.x], next_row = m.tile_rows[blockIdx.x + 1];
    int rows = next_row - first_row <= 1 ? 1 : int(next_row - first_row);
    int count = uneven_fetch(m, room, rows), group = threadIdx.y, groups = blockDim.y;
    int share = (count + groups - 1) / groups;
    int begin = min(count, group * share), end = min(count, begin + share);
    int row = begin < end ? uneven_row_of(room, rows, begin) : rows;
    bool has_head =
        begin < end && room.ends[row] <= end && (row ? room.ends[row - 1] : 0) < begin;
    Y *to = rows == 1 ? place_of_row(m, n, y, partial) : y + first_row * n;
    for (size_t c = blockIdx.y * (size_t)blockDim.x; c < n;
         c += gridDim.y * (size_t)blockDim.x) {
        size_t column = c + threadIdx.x;
        bool is_inside = column < n;
        Y *z = to + column;
        for (int r = group; is_inside && r < rows; r += groups)
            if (room.ends[r] == (r ? room.ends[r - 1] : 0))
                z[r * n] = Y(0);
        Y sum = uneven_add_share(room, rows, begin, end, row,
                                 x + (is_inside ? column : 0), down, n, is_inside, z);
        __syncthreads();
        for (int g = group - 1; has_head && g >= 0 && room.tail_row[g] == row; g--)
            sum += room.tail[g * blockDim.x + threadIdx.x];
        if (has_head && is_inside)
            z[row * n] = sum;
        __syncthreads();
    }
}

} // namespace pycuda

#endif
