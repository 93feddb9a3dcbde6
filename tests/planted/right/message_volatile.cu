/* A block waits for another's volatile flag, which it writes behind a fence. The data are read as they are.

   block  32
   let    grid = 2
   inout  data = zeros(32, i4)
   inout  flag = zeros(1, i4)
   out    y = empty(32, i4)
   call   f(data, flag, y)
   expect y = arange(32) + 1
*/
extern "C" __global__ void f(int *data, volatile int *flag, int *y)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t + 1;
        __threadfence();
        __syncthreads();
        if (t == 0)
            *flag = 1;
    } else {
        if (t == 0)
            while (*flag == 0)
                ;
        __syncthreads();
        __threadfence();
        y[t] = data[t];
    }
}
