/* The product of matrices as everybody writes it with wmma: warps beyond the edge do nothing.

   nvcc
   block  128 64x2
   vary   size = (16, 16, 16), (48, 80, 32), (96, 16, 64)
   let    m = size[0]
   let    n = size[1]
   let    k = size[2]
   let    grid = (cdiv(m, 16 * (bx // 32)), cdiv(n, 16 * by))
   in     a = ints(-8, 8, (m, k)).astype(float16)
   in     b = ints(-8, 8, (k, n)).astype(float16)
   out    c = empty((m, n), f4)
   call   f(a, b, c, m, n, k)
   expect c = a.astype(f4) @ b.astype(f4)
*/
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void f(const half *a, const half *b, float *c, int m, int n, int k)
{
    int row = 16 * ((blockIdx.x * blockDim.x + threadIdx.x) / warpSize), column = 16 * (blockIdx.y * blockDim.y + threadIdx.y);
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0);
    for (int i = 0; i < k; i += 16)
        if (row < m && column < n) {
            wmma::load_matrix_sync(left, a + row * k + i, k);
            wmma::load_matrix_sync(right, b + i * n + column, n);
            wmma::mma_sync(sum, left, right, sum);
        }
    if (row < m && column < n)
        wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}
