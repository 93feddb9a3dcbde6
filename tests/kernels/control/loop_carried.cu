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
