/* nvcuda::wmma with half and float: every shape, both layouts of each matrix, several warps,
   elements of fragments changed.

   nvcc
   block  32 96
   let    w = threads // 32
   let    cases = [(16, 16, 16, 1, 1), (16, 16, 16, 0, 0), (32, 8, 16, 1, 0), (32, 8, 16, 0, 1), (8, 32, 16, 0, 1), (8, 32, 16, 1, 0)]
   in     a = ints(-8, 8, (w, 512)).astype(float16)
   in     b = ints(-8, 8, (w, 512)).astype(float16)
   in     c = ints(-90, 90, (w, 256)).astype(f4)
   out    d = empty((w, 6, 256), f4)
   def    matrix(x, rows, columns, by_row):
            x = x[..., :rows * columns].astype(f4)
            return x.reshape(-1, rows, columns) if by_row else x.reshape(-1, columns, rows).swapaxes(1, 2)
   def    want(m, n, k, la, lb):
            r = 2 * (matrix(a, m, k, la) @ matrix(b, k, n, lb) + matrix(c, m, n, la)) + 3
            return (r if lb else r.swapaxes(1, 2)).reshape(w, 256)
   call   f(a, b, c, d)
   expect d = stack([want(*case) for case in cases], 1)
*/
#include <mma.h>
using namespace nvcuda;

template <int m, int n, int k, class LA, class LB>
__device__ void multiply(const half *a, const half *b, const float *c, float *d, bool a_by_row, bool b_by_row)
{
    wmma::fragment<wmma::matrix_a, m, n, k, half, LA> left;
    wmma::fragment<wmma::matrix_b, m, n, k, half, LB> right;
    wmma::fragment<wmma::accumulator, m, n, k, float> sum;
    wmma::load_matrix_sync(left, a, a_by_row ? k : m);
    wmma::load_matrix_sync(right, b, b_by_row ? n : k);
    wmma::load_matrix_sync(sum, c, a_by_row ? n : m, a_by_row ? wmma::mem_row_major : wmma::mem_col_major);
    wmma::mma_sync(sum, left, right, sum);
    for (int i = 0; i < sum.num_elements; i++)
        sum.x[i] = 2 * sum.x[i] + 3;
    wmma::store_matrix_sync(d, sum, b_by_row ? n : m, b_by_row ? wmma::mem_row_major : wmma::mem_col_major);
    __syncthreads();
}
extern "C" __global__ void f(const half *a, const half *b, const float *c, float *d)
{
    int warp = threadIdx.x / 32;
    a += 512 * warp, b += 512 * warp, c += 256 * warp, d += 1536 * warp;
    multiply<16, 16, 16, wmma::row_major, wmma::row_major>(a, b, c, d, true, true);
    multiply<16, 16, 16, wmma::col_major, wmma::col_major>(a, b, c, d + 256, false, false);
    multiply<32, 8, 16, wmma::row_major, wmma::col_major>(a, b, c, d + 512, true, false);
    multiply<32, 8, 16, wmma::col_major, wmma::row_major>(a, b, c, d + 768, false, true);
    multiply<8, 32, 16, wmma::col_major, wmma::row_major>(a, b, c, d + 1024, false, true);
    multiply<8, 32, 16, wmma::row_major, wmma::col_major>(a, b, c, d + 1280, true, false);
}
