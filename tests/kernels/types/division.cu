/* Division and remainder: signed ones truncate, unsigned ones see large numbers; by variables, by
   constants and by powers of two; 32 and 64 bits.

   let    n = 1000
   in     a = ints(-2**31 + 1, 2**31 - 1, n)
   in     b = where(arange(n) % 2 == 0, ints(1, 99, n), ints(-99, -1, n)).astype(i4)
   out    y = empty((n, 10), i8)
   let    A = a.astype(i8)
   let    B = b.astype(i8)
   let    U = A % 2**32
   let    V = B % 2**32
   def    quot(p, q): return sign(p) * sign(q) * (abs(p) // abs(q))
   call   divide(a, b, y, n)
   expect y = stack([quot(A, B), A - quot(A, B) * B, U // V, U % V, quot(A, i8(7)), quot(A, i8(-8)),
               A - quot(A, i8(16)) * 16, U // 10, quot(A * 1000003, B), A * 1000003 - quot(A * 1000003, i8(1000)) * 1000], 1)
*/
extern "C" __global__ void divide(const int *a, const int *b, long long *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int p = a[i], q = b[i];
    long long *r = y + 10 * i;
    r[0] = p / q;
    r[1] = p % q;
    r[2] = (unsigned)p / (unsigned)q;
    r[3] = (unsigned)p % (unsigned)q;
    r[4] = p / 7;
    r[5] = p / -8;
    r[6] = p % 16;
    r[7] = (unsigned)p / 10;
    r[8] = p * 1000003LL / q;
    r[9] = p * 1000003LL % 1000;
}
