/* Complex numbers whose parts come from other lanes, chosen by lane: LLVM 19 has no instruction for what its
   code generator for AVX-512 makes of the first kernel.

   block  32
   let    n = 32
   def    complexes(): return (floats(n, f8, -1.2, 1.2) + 1j * floats(n, f8, -1.2, 1.2)).astype(complex64)
   in     a = complexes()
   in     b = complexes()
   out    x = empty(n, complex64)
   out    y = empty(n, complex64)
   let    lane = arange(n)
   def    rounds(v, w):
          for _ in range(5):
              w = v * where(lane & 4, v, w)
          return w
   def    butterfly(v, m): return where(lane & m, v[lane ^ m] - v, v + v[lane ^ m])
   call   chosen_lanes(a, b, x)
   call   butterflies(a, y)
   near   1e-5 x = rounds(a.astype(complex128), b)
   near   1e-5 y = butterfly(butterfly(butterfly(butterfly(butterfly(a.astype(complex128), 1), 2), 4), 8), 16)
*/
#include <pycuda-complex.hpp>
typedef pycuda::complex<float> number;
extern "C" __global__ void chosen_lanes(const number *a, const number *b, number *x)
{
    number v = a[threadIdx.x], w = b[threadIdx.x];
    for (int m = 16; m; m >>= 1) {
        number other(v.real(), __shfl_down_sync(~0u, v.imag(), 2, 2)); /* nobody's: its own */
        w = threadIdx.x & 4 ? other : w;
        w = v * w;
    }
    x[threadIdx.x] = w;
}
extern "C" __global__ void butterflies(const number *a, number *y)
{
    number v = a[threadIdx.x];
    for (int m = 1; m < 32; m *= 2) {
        number other(__shfl_xor_sync(~0u, v.real(), m), __shfl_xor_sync(~0u, v.imag(), m));
        number sum = v + other, difference = other - v;
        v = threadIdx.x & m ? difference : sum;
    }
    y[threadIdx.x] = v;
}
