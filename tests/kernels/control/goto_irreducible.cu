/* A loop with two entries: half of the threads jump into its middle.

   let    n = 300
   in     x = ints(0, 60, n)
   out    y = empty(n, i4)
   def    f(v):
              s, k, middle = 0, v, v & 1
              while True:
                  if not middle: s += 3 * k; k -= 1
                  middle = 0
                  s ^= k
                  k -= 2
                  if k <= 0: return s
   call   tangle(x, y, n)
   expect y = [f(int(v)) for v in x]
*/
extern "C" __global__ void tangle(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int s = 0, k = x[i];
    if (k & 1)
        goto middle;
top:
    s += 3 * k;
    k--;
middle:
    s ^= k;
    k -= 2;
    if (k > 0)
        goto top;
    y[i] = s;
}
