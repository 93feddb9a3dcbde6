/* Matrix products by tiles. A block of 16 x 16 threads makes a tile of 64 x 64 results, a
   thread 16 of them, 16 apart, from tiles of both matrices in shared memory. On the host
   device a row of threads is a vector: what it reads of the left tile is the same in all
   lanes, of the right one consecutive.

   A long sum is made of spans, so that its error grows with the length of a span and
   their number, as with a BLAS, and not with the whole length. The sum of the spans so
   far is kept in shared memory: in registers it would cost the host device, which saves
   those at barriers, a quarter of its speed. That of complex<double> does not fit there
   and is kept in the result. */
#ifndef PYCUDA_PRODUCT_CUH
#define PYCUDA_PRODUCT_CUH

#include "operations.cuh"

namespace pycuda
{

/* Elements from (row, column) on are `down` and `across` apart. */
template <class T> struct matrix {
    T *first;
    long long down, across;

    PYCUDA_DEVICE T &at(long long row, long long column) const
    {
        return first[row * down + column * across];
    }
};

/* z = a b, of m rows and n columns, each the sum of `length` products in the type C. */
template <class C, class Z, class A, class B>
PYCUDA_DEVICE void multiply(long long m, long long n, long long length, matrix<Z> z,
                            matrix<const A> a, matrix<const B> b)
{
    enum { EACH = 4, SIDE = 16, TILE = EACH * SIDE, SPAN = 256 };
    enum { IS_KEPT_APART = sizeof(C) <= 8 };
    __shared__ __align__(16) char memory[2][sizeof(C) * SIDE * TILE];
    __shared__ __align__(16) char kept[IS_KEPT_APART ? sizeof(C) * TILE * TILE : 1];
    C *left = (C *)memory[0], *right = (C *)memory[1]; /* TILE x SIDE, SIDE x TILE */
    const int x = threadIdx.x, y = threadIdx.y;
    const long long row = (long long)blockIdx.y * TILE + y;
    const long long column = (long long)blockIdx.x * TILE + x;
    C sum[EACH][EACH];
#pragma unroll
    for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j++)
            sum[i][j] = C(0);
    long long from = 0;
    do {
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
        const bool is_last = from + SIDE >= length;
        if (is_last || from % SPAN == SPAN - SIDE) {
#pragma unroll
            for (int i = 0; i < EACH; i++)
#pragma unroll
                for (int j = 0; j < EACH; j++) {
                    long long r = row + i * SIDE, c = column + j * SIDE;
                    const bool is_inside = r < m && c < n;
                    C *spans = (C *)kept + (y + i * SIDE) * TILE + x + j * SIDE;
                    if (!IS_KEPT_APART)
                        spans = (C *)&z.at(r, c);
                    if (from >= SPAN && (IS_KEPT_APART || is_inside))
                        sum[i][j] += *spans;
                    if (is_last && is_inside)
                        z.at(r, c) = convert<Z>(sum[i][j]);
                    else if (!is_last && (IS_KEPT_APART || is_inside))
                        *spans = sum[i][j];
                    sum[i][j] = C(0);
                }
        }
        __syncthreads();
    } while ((from += SIDE) < length);
}

} // namespace pycuda

#endif
