/* Matrix products by tiles. A block of 16 x 16 threads makes a tile of 64 x 64 results, a
   thread 16 of them, 16 apart, from tiles of both matrices in shared memory. On the host
   device a row of threads is a vector: what it reads of the left tile is the same in all
   lanes, of the right one consecutive.

   A long sum is made of spans, so that its error grows with the length of a span and
   their number, as with a BLAS, and not with the whole length. */
#ifndef PYCUDA_PRODUCT_CUH
#define PYCUDA_PRODUCT_CUH

#include "operations.cuh"

namespace pycuda
{

/* A stack of matrices, `apart` from each other, whose elements are `down` and `across`
   apart. */
template <class T> struct matrices {
    T *first;
    long long down, across, apart;

    PYCUDA_DEVICE T &at(long long row, long long column) const
    {
        return first[row * down + column * across];
    }
};

enum { PRODUCT_EACH = 4, PRODUCT_SIDE = 16, PRODUCT_TILE = 64, PRODUCT_SPAN = 256 };

/* A thread's sums of the spans so far, in registers. The host device saves those at
   barriers, which would take a quarter of its speed, so there they are in shared memory,
   if they fit. */
template <class C, bool IS_SHARED> struct span_sums {
    C sum[PRODUCT_EACH][PRODUCT_EACH];
    PYCUDA_DEVICE C &at(int i, int j) { return sum[i][j]; }
};

#ifdef __HOSTCC__
template <class C> struct span_sums<C, true> {
    C *first;
    PYCUDA_DEVICE span_sums()
    {
        __shared__ __align__(16) char memory[sizeof(C) * PRODUCT_TILE * PRODUCT_TILE];
        first = (C *)memory + threadIdx.y * PRODUCT_TILE + threadIdx.x;
    }
    PYCUDA_DEVICE C &at(int i, int j)
    {
        return first[PRODUCT_SIDE * (i * PRODUCT_TILE + j)];
    }
};
#endif

/* z = a b, of m rows and n columns, each the sum of `length` products in the type C; of
   matrix blockIdx.z of each stack. */
template <class C, class Z, class A, class B>
PYCUDA_DEVICE void multiply(long long m, long long n, long long length, matrices<Z> z,
                            matrices<const A> a, matrices<const B> b)
{
    a.first += blockIdx.z * a.apart;
    b.first += blockIdx.z * b.apart;
    z.first += blockIdx.z * z.apart;
    enum { EACH = PRODUCT_EACH, SIDE = PRODUCT_SIDE, TILE = PRODUCT_TILE };
    __shared__ __align__(16) char memory[2][sizeof(C) * SIDE * TILE];
    C *left = (C *)memory[0], *right = (C *)memory[1]; /* TILE x SIDE, SIDE x TILE */
    const int x = threadIdx.x, y = threadIdx.y;
    const long long row = (long long)blockIdx.y * TILE + y;
    const long long column = (long long)blockIdx.x * TILE + x;
    span_sums<C, sizeof(C) <= 8> total;
#pragma unroll
    for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j++)
            total.at(i, j) = C(0);
    for (long long span = 0; span < length; span += PRODUCT_SPAN) {
        const long long end = span + PRODUCT_SPAN < length ? span + PRODUCT_SPAN : length;
        C sum[EACH][EACH];
#pragma unroll
        for (int i = 0; i < EACH; i++)
#pragma unroll
            for (int j = 0; j < EACH; j++)
                sum[i][j] = C(0);
        for (long long from = span; from < end; from += SIDE) {
#pragma unroll
            for (int i = 0; i < EACH; i++) {
                long long r = row + i * SIDE, c = column + i * SIDE;
                left[(y + i * SIDE) * SIDE + x] =
                    r < m && from + x < length ? convert<C>(a.at(r, from + x)) : C(0);
                right[y * TILE + x + i * SIDE] =
                    c < n && from + y < length ? convert<C>(b.at(from + y, c)) : C(0);
            }
            __syncthreads();
#pragma unroll 2
            for (int k = 0; k < SIDE; k++) {
                C of_right[EACH];
#pragma unroll
                for (int j = 0; j < EACH; j++)
                    of_right[j] = right[k * TILE + x + j * SIDE];
#pragma unroll
                for (int i = 0; i < EACH; i++)
#pragma unroll
                    for (int j = 0; j < EACH; j++)
                        sum[i][j] += left[(y + i * SIDE) * SIDE + k] * of_right[j];
            }
            __syncthreads();
        }
#pragma unroll
        for (int i = 0; i < EACH; i++)
#pragma unroll
            for (int j = 0; j < EACH; j++)
                total.at(i, j) += sum[i][j];
    }
#pragma unroll
    for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j++)
            if (row + i * SIDE < m && column + j * SIDE < n)
                z.at(row + i * SIDE, column + j * SIDE) = convert<Z>(total.at(i, j));
}

} // namespace pycuda

#endif
