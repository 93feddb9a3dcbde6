/* Forward gotos out of two loops and over code, the C way of cleaning up.

   let    n = 500
   in     x = ints(0, 99, n)
   out    y = empty(n, i4)
   def    f(v):
              r, s = v, 0
              if v > 80: return r * 2 + 1
              for j in range(8):
                  for k in range(8):
                      s += j * k
                      if s > v: return (r + j * 10 + k) * 2 + 1
              return (r + 7 + s) * 2 + 1 if v % 2 else r * 2 + 1
   call   jumps(x, y, n)
   expect y = [f(int(v)) for v in x]
*/
extern "C" __global__ void jumps(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = x[i], r = v, s = 0, j, k;
    if (v > 80)
        goto done;
    for (j = 0; j < 8; j++)
        for (k = 0; k < 8; k++) {
            s += j * k;
            if (s > v)
                goto found;
        }
    if (v % 2 == 0)
        goto done;
    r += 7 + s;
    goto done;
found:
    r += j * 10 + k;
done:
    y[i] = r * 2 + 1;
}
