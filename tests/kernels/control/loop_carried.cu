/* Fibonacci numbers modulo 1000: two values swapped round a loop.

   let    n = 333
   in     x = ints(0, 90, n)
   out    y = empty(n, i4)
   def    f(v):
              a, b = 0, 1
              for _ in range(v): a, b = b, (a + b) % 1000
              return a
   call   fibonacci(x, y, n)
   expect y = [f(int(v)) for v in x]
   in     signed = ints(-99, 99, 500)
   out    widened = empty(500, i8)
   call   mixed[cdiv(500, threads)](signed, widened, u4(2**32 - 7), 500)
   def    at(k): return roll(signed, -k).astype(i8)
   expect widened = (arange(500) + 2**32 - 7) % 2**32 + at(0) + at(1) + at(2)
*/
extern "C" __global__ void fibonacci(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int a = 0, b = 1;
    for (int k = x[i]; k > 0; k--) {
        int t = (a + b) % 1000;
        a = b;
        b = t;
    }
    y[i] = a;
}

/* Unsigned at first, signed from then on: no counter of 32 bits. */
extern "C" __global__ void mixed(const int *x, long long *y, unsigned start, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    long long v = start + i, sum = 0;
    for (int k = 0; k < 4; k++) {
        sum += v;
        v = x[(i + k) % n];
    }
    y[i] = sum;
}
