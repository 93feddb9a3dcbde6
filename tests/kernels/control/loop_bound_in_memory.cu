/* The loop bound is reloaded each time from memory that the loop itself changes.

   let    n = 300
   inout  x = ints(0, 60, n)
   out    y = empty(n, i4)
   def    f(v):
              k = 0
              while k < v:
                  if k % 3 == 0: v -= 2
                  k += 1
              return k, v
   call   shrink(x, y, n)
   expect y = [f(int(v))[0] for v in x]
   expect x = [f(int(v))[1] for v in x]
*/
extern "C" __global__ void shrink(int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int k = 0;
    while (k < x[i]) {
        if (k % 3 == 0)
            x[i] -= 2;
        k++;
    }
    y[i] = k;
}
