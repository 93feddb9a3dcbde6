/* Ifs three deep, on data, on the thread number and on an argument.

   let    n = 500
   vary   flag = 0, 1
   in     x = ints(0, 1000, n)
   out    y = empty(n, i4)
   def    f(i, v, flag):
              r = v
              if v & 1:
                  if flag:
                      r += 10 if i % 3 == 0 else 20
                  elif v > 500:
                      r -= 500
                  r *= 2
              elif i & 4:
                  r = -r
                  if v & 2:
                      r -= 1
              return r
   call   nested(x, y, flag, n)
   expect y = [f(i, int(v), flag) for i, v in enumerate(x)]
*/
extern "C" __global__ void nested(const int *x, int *y, int flag, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = x[i];
        int r = v;
        if (v & 1) {
            if (flag) {
                if (i % 3 == 0)
                    r += 10;
                else
                    r += 20;
            } else if (v > 500) {
                r -= 500;
            }
            r *= 2;
        } else if (i & 4) {
            r = -r;
            if (v & 2)
                r--;
        }
        y[i] = r;
    }
}
