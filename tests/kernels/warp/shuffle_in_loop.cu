/* Shuffles in a uniform loop, next to a divergent inner loop, with values carried round.

   block  32 64 256
   let    n = threads
   in     x = ints(0, 30, n)
   out    y = empty(n, i4)
   let    grid = 1
   let    i = arange(n)
   def    f():
              v = x.astype(i8)
              for k in range(6):
                  v = v[i // 32 * 32 + (i + k) % 32]
                  v = v + array([(a % 7) * (a % 7 - 1) // 2 for a in v.tolist()])
              return v
   call   loop(x, y, 6)
   expect y = f()
*/
extern "C" __global__ void loop(const int *x, int *y, int count)
{
    int t = threadIdx.x, v = x[t];
    for (int k = 0; k < count; k++) {
        v = __shfl_sync(0xffffffff, v, t + k);
        int stop = v % 7;
        for (int j = 0; j < stop; j++)
            v += j;
    }
    y[t] = v;
}
