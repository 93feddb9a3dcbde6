/* break and continue at different iterations in different threads, in two nested loops.

   let    n = 600
   in     x = ints(0, 40, n)
   out    y = empty(n, i4)
   def    f(v):
              s = 0
              for j in range(30):
                  if (v + j) % 5 == 0:
                      continue
                  if j > v:
                      break
                  for k in range(10):
                      if k == v % 7:
                          break
                      if (k ^ j) & 1:
                          continue
                      s += k + 1
                  s += 100
              return s
   call   loops(x, y, n)
   expect y = [f(int(v)) for v in x]
*/
extern "C" __global__ void loops(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = x[i], s = 0;
    for (int j = 0; j < 30; j++) {
        if ((v + j) % 5 == 0)
            continue;
        if (j > v)
            break;
        for (int k = 0; k < 10; k++) {
            if (k == v % 7)
                break;
            if ((k ^ j) & 1)
                continue;
            s += k + 1;
        }
        s += 100;
    }
    y[i] = s;
}
