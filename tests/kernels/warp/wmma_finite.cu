/* nvcuda::wmma with `satf`: a sum that is infinite becomes the largest number of the accumulator's type,
   NaN becomes 0, and whole numbers stop at their ends; without it nothing of that.

   host
   block  32
   let    a = zeros((16, 16), float16)
   def    rows():
            a[:6, 0] = [200, -200, inf, nan, inf, 1]
            a[4, 1] = -inf
            a[:2, 1:] = a[:2, :1]
            return array([[0]] * 5 + [[65504], [inf], [-inf], [nan]] + [[k] for k in range(7)], f4) + zeros((16, 16), f4)
   let    c = rows()
   in     left = a
   in     start = c
   out    h = empty((2, 16, 16), float16)
   out    s = empty((2, 16, 16), f4)
   out    i = empty((2, 16, 16), i4)
   def    column(r): return array(r)[:, None] + zeros(16)
   let    rest = [k * 1. for k in range(7)]
   let    inside = [640000., -640000., inf, nan, nan, 65704, inf, -inf, nan, *rest]
   def    finite(r, most): return clip(nan_to_num(column(r), nan=0), -most, most)
   call   f(left, start, h, s, i)
   expect s[0] = column(inside).astype(f4)
   expect s[1] = finite(inside, finfo(f4).max).astype(f4)
   expect h[0] = column([inf, -inf, *inside[2:5], inf, *inside[6:]]).astype(float16)
   expect h[1] = finite(inside, 65504).astype(float16)
   expect i[0] = wrap(column([2**31 - 1 + 16, -2**31 - 16] * 8).astype(i8), i4)
   expect i[1] = column([2**31 - 1, -2**31] * 8).astype(i8)
*/
#include <mma.h>
using namespace nvcuda;

template <class T> __device__ void multiply(const half *a, const float *c, T *d, bool finite)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, T> sum;
    __shared__ T start[256];
    for (int k = threadIdx.x; k < 256; k += 32)
        start[k] = c[k];
    __syncwarp();
    wmma::load_matrix_sync(left, a, 16);
    wmma::fill_fragment(right, (half)200.f);
    wmma::load_matrix_sync(sum, start, 16, wmma::mem_row_major);
    wmma::mma_sync(sum, left, right, sum, finite);
    wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}
__device__ void multiply_bytes(int *d, bool finite)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
    __shared__ signed char rows[256];
    __shared__ int start[256];
    for (int k = threadIdx.x; k < 256; k += 32) {
        rows[k] = k / 16 % 2 ? -1 : 1;
        start[k] = k / 16 % 2 ? -0x7fffffff - 1 : 0x7fffffff;
    }
    __syncwarp();
    wmma::load_matrix_sync(left, rows, 16);
    wmma::fill_fragment(right, (signed char)1);
    wmma::load_matrix_sync(sum, start, 16, wmma::mem_row_major);
    wmma::mma_sync(sum, left, right, sum, finite);
    wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}
extern "C" __global__ void f(const half *a, const float *c, half *h, float *s, int *i)
{
    for (int finite = 0; finite < 2; finite++) {
        multiply(a, c, h + 256 * finite, finite);
        multiply(a, c, s + 256 * finite, finite);
        multiply_bytes(i + 256 * finite, finite);
    }
}
