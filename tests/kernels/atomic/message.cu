/* The second block reads what the first has written once a flag says so.

   block  1 32 256
   let    grid = 2
   inout  data = zeros(threads, i4)
   out    y = empty(threads, i4)
   inout  flag = zeros(1, i4)
   call   deliver(data, y, flag)
   expect y = arange(threads) * 5 + 1
*/
extern "C" __global__ void deliver(volatile int *data, int *y, int *flag)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t * 5 + 1;
        __threadfence();
        atomicAdd(flag, 1);
    } else {
        while (atomicAdd(flag, 0) < blockDim.x)
            ;
        __threadfence();
        y[t] = data[t];
    }
}
