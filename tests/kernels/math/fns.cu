/* The place of the n-th set bit from a bit on: the loop of the PTX ISA's section on fns.

   let    n = 1000
   in     x = where(arange(n) % 7 == 0, 0, ints(0, 2**32 - 1, n, u4)) & ints(0, 2**32 - 1, n, u4)
   in     base = ints(0, 31, n, u4)
   in     k = ints(-18, 18, n)
   out    y = empty(n, u4)
   def    fns(mask, base, offset):
            if offset == 0:
                return base if mask >> base & 1 else 0xffffffff
            at, count = base, abs(offset) - 1
            while 0 <= at < 32:
                if mask >> at & 1:
                    if count == 0:
                        return at
                    count -= 1
                at += 1 if offset > 0 else -1
            return 0xffffffff
   call   f(x, base, k, y, n)
   expect y = [fns(int(a), int(b), int(c)) for a, b, c in zip(x, base, k)]
*/
extern "C" __global__ void f(const unsigned *x, const unsigned *base, const int *k, unsigned *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = __fns(x[i], base[i], k[i]);
}
