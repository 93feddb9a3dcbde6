/* Integer divisions that only some threads may do: by zero, and the most negative number by -1.

   let    n = 1000
   let    low = -2**31
   in     a = where(arange(n) % 7 == 0, low, ints(-100, 100, n)).astype(i4)
   in     b = ints(-2, 2, n)
   out    y = empty((n, 2), i4)
   def    f(a, b):
              if b == 0: return -1, -2
              if b == -1 and a == low: return low, 0
              q = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
              return q, a - q * b
   call   divide(a, b, y, n)
   expect y = [f(int(p), int(q)) for p, q in zip(a, b)]
*/
extern "C" __global__ void divide(const int *a, const int *b, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int quotient = -1, remainder = -2;
    if (b[i] != 0) {
        if (b[i] == -1 && a[i] == (int)0x80000000) {
            quotient = a[i];
            remainder = 0;
        } else {
            quotient = a[i] / b[i];
            remainder = a[i] % b[i];
        }
    }
    y[2 * i] = quotient;
    y[2 * i + 1] = remainder;
}
