/* Products of a sparse matrix and a vector. A matrix is stored by rows: the elements
   starts[row] to starts[row + 1] of `columns` and `data` are its row. On a GPU `lanes`
   threads of a warp take a row. On the host device a warp, and so a vector of hostcc,
   takes 256 rows one after the other: what all lanes do alike is scalar code, which is
   best for rows of a few elements anywhere in x. Under checks each lane has rows of its
   own, for threads that write the same value are reported. */
#ifndef PYCUDA_SPARSE_CUH
#define PYCUDA_SPARSE_CUH

#include "warp.cuh"

namespace pycuda
{

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
template <int lanes, class Y, class A, class I>
PYCUDA_DEVICE void csr_product(size_t rows, const I *starts, const I *columns,
                               const A *data, const Y *x, Y *y)
{
#ifdef __HOSTCC__
    __syncwarp(); /* makes vectors warps, so that each row is done once */
    size_t row = blockIdx.x * (size_t)256, end = row + 256 < rows ? row + 256 : rows;
    size_t step = 1;
#ifdef __HOSTCC_CHECK__
    row += threadIdx.x;
    step = blockDim.x;
#endif
    for (; row < end; row += step)
        y[row] = products(starts[row], starts[row + 1], 1, columns, data, x);
#else
    size_t row = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) / lanes;
    int lane = threadIdx.x % lanes;
    Y sum = Y(0);
    if (row < rows)
        sum = products(I(starts[row] + lane), starts[row + 1], lanes, columns, data, x);
    for (int w = 1; w < lanes; w *= 2) {
        Y before = shuffle<lane_up>(sum, w);
        if (lane >= w)
            sum += before;
    }
    if (row < rows && lane == lanes - 1)
        y[row] = sum;
#endif
}

} // namespace pycuda

#endif
