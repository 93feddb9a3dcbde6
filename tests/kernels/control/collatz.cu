/* Collatz: the classic divergent while loop, with 64-bit values.

   let    n = 1000
   out    steps = empty(n, i4)
   out    peak = empty(n, u8)
   def    f(v):
              k, p = 0, v
              while v > 1:
                  v = 3 * v + 1 if v & 1 else v // 2
                  p = max(p, v)
                  k += 1
              return k, p
   call   collatz(steps, peak, n)
   expect steps = [f(i + 1)[0] for i in range(n)]
   expect peak = [f(i + 1)[1] for i in range(n)]
*/
extern "C" __global__ void collatz(int *steps, unsigned long long *peak, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long v = i + 1, high = v;
    int k = 0;
    while (v > 1) {
        v = v & 1 ? 3 * v + 1 : v / 2;
        high = v > high ? v : high;
        k++;
    }
    steps[i] = k;
    peak[i] = high;
}
