/* A loop made of gotos with two places that jump back.

   let    n = 400
   in     x = ints(1, 300, n)
   out    y = empty(n, i4)
   def    f(v):
              c = 0
              while v > 1:
                  c += 1
                  if v % 3 == 0: v //= 3
                  elif v % 2 == 0: v //= 2; c += 100
                  else: v -= 1
              return c
   call   reduce(x, y, n)
   expect y = [f(int(v)) for v in x]
*/
extern "C" __global__ void reduce(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = x[i], c = 0;
again:
    if (v <= 1)
        goto done;
    c++;
    if (v % 3 == 0) {
        v /= 3;
        goto again;
    }
    if (v % 2 != 0) {
        v--;
        goto again;
    }
    v /= 2;
    c += 100;
    goto again;
done:
    y[i] = c;
}
