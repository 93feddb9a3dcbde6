/* A loop that goes on while __syncthreads_or says that some thread still works.

   let    n = threads
   in     x = ints(1, 5000, n)
   out    y = empty((n, 2), i4)
   let    grid = 1
   def    log(v): return int(v).bit_length() - 1
   call   halve(x, y)
   expect y = stack([[log(v) for v in x], full(n, log(x.max()))], 1)
*/
extern "C" __global__ void halve(const int *x, int *y)
{
    int t = threadIdx.x, v = x[t], mine = 0, rounds = 0;
    while (__syncthreads_or(v > 1)) {
        if (v > 1) {
            v /= 2;
            mine++;
        }
        rounds++;
    }
    y[2 * t] = mine;
    y[2 * t + 1] = rounds;
}
