/* 64-bit atomics: add, exch, min, max, and, or, xor, cas.

   let    n = 3000
   in     x = ints(0, 2**63, n, u8)
   inout  a = array([5, 2**64 - 1, 0, 2**64 - 1, 0, 0, 2**40], u8)
   inout  s = array([2**62, -2**62], i8)
   let    X = x.view(i8) * where(arange(n) % 2 == 0, 1, -1)
   call   ops(x, a, s, n)
   expect a[0] = wrap(5 + sum(x.astype(object)), u8)
   expect a[1:6] = [x.min(), x.max(), bitwise_and.reduce(x | u8(255)), bitwise_or.reduce(x >> u8(40)), bitwise_xor.reduce(x)]
   expect a[6] = 2**40 + n * 3
   expect s = [X.min(), X.max()]
*/
extern "C" __global__ void ops(const unsigned long long *x, unsigned long long *a, long long *s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long v = x[i];
    atomicAdd(&a[0], v);
    atomicMin(&a[1], v);
    atomicMax(&a[2], v);
    atomicAnd(&a[3], v | 255);
    atomicOr(&a[4], v >> 40);
    atomicXor(&a[5], v);
    unsigned long long old = a[6], seen;
    do {
        seen = old;
        old = atomicCAS(&a[6], seen, seen + 3);
    } while (old != seen);
    long long w = i % 2 ? -(long long)v : (long long)v;
    atomicMin(&s[0], w);
    atomicMax(&s[1], w);
}
