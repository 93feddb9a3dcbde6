/* The same counter drives a uniform loop, then one that threads leave one by one, then a third that
   starts from where each thread stopped.

   let    n = 300
   in     x = ints(0, 50, n)
   out    y = empty(n, i4)
   def    f(v):
              k, s = 0, 0
              while k < 20: s += k; k += 1
              while k < 20 + v: s += 2; k += 3
              while k < 100: s += k & 7; k += 5
              return s * 1000 + k
   call   phases(x, y, n)
   expect y = [f(int(v)) for v in x]
*/
extern "C" __global__ void phases(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int k = 0, s = 0;
    for (; k < 20; k++)
        s += k;
    for (; k < 20 + x[i]; k += 3)
        s += 2;
    for (; k < 100; k += 5)
        s += k & 7;
    y[i] = s * 1000 + k;
}
