/* nvcuda::wmma with all its types: half sums, bfloat16, tf32, bytes, double, four bits and one.

   nvcc
   block  32 64
   let    w = threads // 32
   in     a = ints(0, 255, (w, 512), u1)
   in     b = ints(0, 255, (w, 512), u1)
   in     c = ints(-90, 90, (w, 256))
   out    h = empty((w, 3, 256), float16)
   out    s = empty((w, 2, 256), f4)
   out    i = empty((w, 9, 256), i4)
   out    t = empty((w, 64), f8)
   let    shapes = [(16, 16, 16), (32, 8, 16), (8, 32, 16)]
   def    product(left, right, m, n, k):
            r = left[:, :m * k].reshape(w, m, k).astype(i8) @ right[:, :n * k].reshape(w, n, k).astype(i8).swapaxes(1, 2)
            return (r + c[:, :m * n].reshape(w, m, n)).reshape(w, -1)
   def    fours(x, sign): return (stack([x & 15, x >> 4], 2).reshape(w, -1).astype(i8) ^ sign) - sign
   def    bits(x): return unpackbits(x[:, :128], axis=1, bitorder="little").astype(i8)
   def    agree(f): return (array([[f(p, q).sum() for p in bits(a)[v].reshape(8, 128) for q in bits(b)[v].reshape(8, 128)] for v in range(w)]) + c[:, :64])
   def    of_bytes(t): return [product(a.view(t), b.view(t), *s) for s in shapes]
   call   f(a, b, c, h, s, i, t)
   expect h = stack([product(a % 8, b % 8, *x) for x in shapes], 1)
   expect s[:, 0] = product(a, b, 16, 16, 16)
   expect s[:, 1] = product(a, b, 16, 16, 8)
   expect t = product(a, b, 8, 8, 4)
   expect i[:, :6] = stack(of_bytes(i1) + of_bytes(u1), 1)
   expect i[:, 6, :64] = product(fours(a, 8), fours(b, 8), 8, 8, 32)
   expect i[:, 7, :64] = product(fours(a, 0), fours(b, 0), 8, 8, 32)
   expect i[:, 8, :64] = agree(bitwise_and)
*/
#include <mma.h>
using namespace nvcuda;

template <int m, int n, int k, class T, class S, class P, class R>
__device__ void multiply(const P *a, const P *b, const R *c, R *d)
{
    wmma::fragment<wmma::matrix_a, m, n, k, T, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, m, n, k, T, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, m, n, k, S> sum;
    wmma::load_matrix_sync(left, a, k);
    wmma::load_matrix_sync(right, b, k);
    wmma::load_matrix_sync(sum, c, n, wmma::mem_row_major);
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(d, sum, n, wmma::mem_row_major);
}
template <class T> struct __align__(32) converted {
    T a[512], b[512];
};
template <class T> __device__ void convert(converted<T> &to, const unsigned char *a, const unsigned char *b, int mask)
{
    __syncthreads();
    for (int k = threadIdx.x % 32; k < 512; k += 32)
        to.a[k] = T((float)(a[k] & mask)), to.b[k] = T((float)(b[k] & mask));
    __syncthreads();
}
extern "C" __global__ void f(const unsigned char *a, const unsigned char *b, const int *c, half *h, float *s, int *i, double *t)
{
    __shared__ union {
        converted<half> h;
        converted<__nv_bfloat16> b;
        converted<float> f;
        converted<double> d;
    } x[2];
    __shared__ union {
        half h[256];
        float f[256];
        double d[64];
    } sums[2];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    a += 512 * w, b += 512 * w, c += 256 * w, h += 768 * w, s += 512 * w, i += 9 * 256 * w, t += 64 * w;
    convert(x[w].h, a, b, 7);
    for (int k = lane; k < 256; k += 32)
        sums[w].h[k] = (float)c[k];
    __syncthreads();
    multiply<16, 16, 16, half, half>(x[w].h.a, x[w].h.b, sums[w].h, h);
    multiply<32, 8, 16, half, half>(x[w].h.a, x[w].h.b, sums[w].h, h + 256);
    multiply<8, 32, 16, half, half>(x[w].h.a, x[w].h.b, sums[w].h, h + 512);
    convert(x[w].b, a, b, 255);
    for (int k = lane; k < 256; k += 32)
        sums[w].f[k] = c[k];
    __syncthreads();
    multiply<16, 16, 16, __nv_bfloat16, float>(x[w].b.a, x[w].b.b, sums[w].f, s);
    convert(x[w].f, a, b, 255);
    for (int k = lane; k < 512; k += 32)
        x[w].f.a[k] = wmma::__float_to_tf32(x[w].f.a[k]);
    __syncthreads();
    multiply<16, 16, 8, wmma::precision::tf32, float>(x[w].f.a, x[w].f.b, sums[w].f, s + 256);
    convert(x[w].d, a, b, 255);
    for (int k = lane; k < 64; k += 32)
        sums[w].d[k] = c[k];
    __syncthreads();
    multiply<8, 8, 4, double, double>(x[w].d.a, x[w].d.b, sums[w].d, t);
    const signed char *sa = (const signed char *)a, *sb = (const signed char *)b;
    multiply<16, 16, 16, signed char, int>(sa, sb, c, i);
    multiply<32, 8, 16, signed char, int>(sa, sb, c, i + 256);
    multiply<8, 32, 16, signed char, int>(sa, sb, c, i + 512);
    multiply<16, 16, 16, unsigned char, int>(a, b, c, i + 768);
    multiply<32, 8, 16, unsigned char, int>(a, b, c, i + 1024);
    multiply<8, 32, 16, unsigned char, int>(a, b, c, i + 1280);
    using namespace wmma::experimental;
    multiply<8, 8, 32, precision::s4, int>((const void *)a, (const void *)b, c, i + 1536);
    multiply<8, 8, 32, precision::u4, int>((const void *)a, (const void *)b, c, i + 1792);
    wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 8, 8, 128, int> sum;
    wmma::load_matrix_sync(left, a, 128);
    wmma::load_matrix_sync(right, b, 128);
    wmma::load_matrix_sync(sum, c, 8, wmma::mem_row_major);
    wmma::bmma_sync(sum, left, right, sum, bmmaBitOpAND);
    wmma::store_matrix_sync(i + 2048, sum, 8, wmma::mem_row_major);
}
