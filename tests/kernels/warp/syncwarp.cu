/* Producer and consumer lanes of a warp pass values through shared memory, ordered by __syncwarp; the
   same among the lanes of a mask in a divergent branch.

   block  32 64 256
   let    n = threads
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   let    grid = 1
   let    i = arange(n)
   def    f():
              s = where(i % 32 < 16, x[i] * 3, x)
              r = where(i % 32 >= 16, s[i ^ 16] + x, s)
              s = r.copy()
              return s[i ^ 1] * where(i % 4 < 2, 2, 1)
   call   pass_on(x, y)
   expect y = f()
*/
extern "C" __global__ void pass_on(const int *x, int *y)
{
    __shared__ int s[256];
    int t = threadIdx.x, lane = t % 32;
    s[t] = x[t];
    if (lane < 16)
        s[t] = x[t] * 3;
    __syncwarp();
    int v = s[t];
    if (lane >= 16)
        v += s[t ^ 16];
    __syncwarp();
    s[t] = v;
    if (t % 4 < 2) {
        __syncwarp(0x33333333);
        v = s[t ^ 1] * 2;
    } else {
        __syncwarp(0xcccccccc);
        v = s[t - t % 4 + 5 - t % 4];
    }
    y[t] = v;
}
