/* Returns from the middle of nested loops and conditions, before and after stores.

   let    n = 600
   in     x = ints(0, 200, n)
   inout  y = full(n, -1, i4)
   def    f(i, v):
              if v % 11 == 0: return -1
              r = -1
              for k in range(20):
                  if k * k > v: return r
                  if k == i % 13:
                      r = k
                      if v & 1: return r
                  for m in range(5):
                      if k * m == 24: return 1000 + k
              return 2000
   call   leave(x, y, n)
   expect y = [f(i, int(v)) for i, v in enumerate(x)]
*/
extern "C" __global__ void leave(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = x[i];
    if (v % 11 == 0)
        return;
    for (int k = 0; k < 20; k++) {
        if (k * k > v)
            return;
        if (k == i % 13) {
            y[i] = k;
            if (v & 1)
                return;
        }
        for (int m = 0; m < 5; m++)
            if (k * m == 24) {
                y[i] = 1000 + k;
                return;
            }
    }
    y[i] = 2000;
}
