/* All integer atomics on global memory, int and unsigned, many threads on few cells.

   let    n = 5000
   in     x = ints(-2**31, 2**31 - 1, n)
   inout  a = zeros((6, 7), i4)
   inout  u = (zeros((4, 7)) + array([[0], [0], [2**32 - 1], [2**32 - 1]])).astype(u4)
   let    k = arange(n) % 7
   let    X = x.view(u4)
   def    per(f, v): return [f(v[k == j]) for j in range(7)]
   def    total(v): return v.astype(i8).sum()
   call   ops(x, a, u, n)
   expect a[0] = wrap(per(total, x), i4)
   expect a[1] = wrap(per(total, -x.astype(i8)), i4)
   expect a[2] = minimum(per(amin, x), 0)
   expect a[3] = maximum(per(amax, x), 0)
   expect a[4] = per(bitwise_or.reduce, x & 0xff)
   expect a[5] = per(bitwise_xor.reduce, x)
   expect u[0] = wrap(per(total, X), u4)
   expect u[1] = per(amax, X)
   expect u[2] = per(amin, X)
   expect u[3] = per(bitwise_and.reduce, X | u4(0xf0f))
*/
extern "C" __global__ void ops(const int *x, int *a, unsigned *u, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int k = i % 7, v = x[i];
    atomicAdd(&a[k], v);
    atomicSub(&a[7 + k], v);
    atomicMin(&a[14 + k], v);
    atomicMax(&a[21 + k], v);
    atomicOr(&a[28 + k], v & 0xff);
    atomicXor(&a[35 + k], v);
    atomicAdd(&u[k], (unsigned)v);
    atomicMax(&u[7 + k], (unsigned)v);
    atomicMin(&u[14 + k], (unsigned)v);
    atomicAnd(&u[21 + k], (unsigned)v | 0xf0f);
}
