/* What is made of the factors of dense matrices, of stacks of them, and what they
   start with. The library that factors has matrices column by column. */
#ifndef PYCUDA_FACTORS_CUH
#define PYCUDA_FACTORS_CUH

#include "operations.cuh"

namespace pycuda
{

/* The launcher has these numbers, too. */
enum { factor_side = 32, factor_height = 8, factor_threads = 128 };

/* Elements (i, j) of the upper or lower triangle, and 0 for the others, in C order;
   from: matrices `apart` elements from one to the next, of rows, or columns if it is
   transposed, that are `ld` apart. Blocks are of 32 x 8 threads, which take a square
   of 32: both sides are read and written along their rows. */
template <bool is_transposed, bool is_upper, class T>
PYCUDA_DEVICE void triangle(T *to, const T *from, long long rows, long long columns,
                            long long ld, long long apart)
{
    enum { side = factor_side, height = factor_height };
    __shared__ __align__(16) char memory[side * (side + 1) * sizeof(T)];
    T *square = (T *)memory;
    long long across = (columns + side - 1) / side, down = (rows + side - 1) / side;
    long long band = blockIdx.x / across, matrix = band / down;
    long long j0 = (blockIdx.x - band * across) * side, i0 = (band - matrix * down) * side;
    int x = threadIdx.x;
    to += matrix * rows * columns;
    from += matrix * apart;
    if (is_transposed) {
        for (int y = threadIdx.y; y < side; y += height)
            if (i0 + x < rows && j0 + y < columns)
                square[y * (side + 1) + x] = from[(j0 + y) * ld + i0 + x];
        __syncthreads();
    }
    for (int y = threadIdx.y; y < side; y += height) {
        long long i = i0 + y, j = j0 + x;
        bool is_inside = is_upper ? j >= i : j <= i;
        if (i < rows && j < columns)
            to[i * columns + j] = !is_inside     ? T(0)
                                  : is_transposed ? square[x * (side + 1) + y]
                                                  : from[i * ld + j];
    }
}

/* Unit matrices of n rows, of each of which a block writes one. */
template <class T> PYCUDA_DEVICE void identity(T *to, long long n)
{
    long long diagonal = blockIdx.x % n;
    for (long long j = threadIdx.x; j < n; j += blockDim.x)
        to[blockIdx.x * n + j] = T(j == diagonal);
}

/* -- Determinants ------------------------------------------------------------------ */

/* x as a sign, or as a number of absolute value 1, and that value. */
PYCUDA_DEVICE double take_sign(double x, double &size)
{
    size = ::fabs(x);
    return x < 0 ? -1 : 1;
}
#ifdef PYCUDA_COMPLEX_HPP
PYCUDA_DEVICE complex<double> take_sign(complex<double> x, double &size)
{
    size = abs(x);
    return x / size;
}
#endif

template <class W> struct signed_logarithm {
    W sign;
    double logarithm;
};

/* Of products of the diagonals of lu, n x n, whose rows were swapped as the pivots say,
   with numbers from 1: signs, logarithms of absolute values, and the determinants that
   these are of. info: not 0 of what is singular. A block of 128 threads has a matrix;
   W is double, or complex. */
template <class W, class T, class R>
PYCUDA_DEVICE void determinant(const T *lu, const long long *pivots, const int *info,
                               long long n, T *signs, R *logarithms, T *determinants)
{
    typedef signed_logarithm<W> part;
    __shared__ __align__(16) char memory[factor_threads * sizeof(part)];
    part *parts = (part *)memory;
    unsigned t = threadIdx.x;
    size_t matrix = blockIdx.x;
    W sign = W(1);
    double logarithm = 0, size;
    for (long long i = t; i < n; i += factor_threads) {
        sign = sign * take_sign(convert<W>(lu[(matrix * n + i) * n + i]), size);
        sign = pivots[matrix * n + i] == i + 1 ? sign : -sign;
        logarithm += ::log(size);
    }
    parts[t].sign = sign;
    parts[t].logarithm = logarithm;
    for (unsigned k = factor_threads / 2; k; k /= 2) {
        __syncthreads();
        if (t < k) {
            parts[t].sign = parts[t].sign * parts[t + k].sign;
            parts[t].logarithm += parts[t + k].logarithm;
        }
    }
    if (t == 0) {
        bool is_singular = info[matrix];
        sign = is_singular ? W(0) : parts[0].sign;
        logarithm = is_singular ? ::log(0.0) : parts[0].logarithm;
        signs[matrix] = convert<T>(sign);
        logarithms[matrix] = convert<R>(logarithm);
        determinants[matrix] = convert<T>(W(sign * ::exp(logarithm)));
    }
}

} // namespace pycuda

#endif
