/* A chain of blocks, each of which waits for the flag of the one before and reads what it has written.

   block  32
   let    grid = 6
   inout  data = zeros((grid + 1, 32), i4)
   inout  flag = zeros(grid, i4)
   call   f(data, flag)
   expect data = arange(grid + 1)[:, None] * ones(32, i4)
*/
extern "C" __global__ void f(int *data, int *flag)
{
    int t = threadIdx.x, b = blockIdx.x;
    if (b > 0) {
        if (t == 0)
            while (atomicAdd(&flag[b - 1], 0) == 0)
                ;
        __syncthreads();
        __threadfence();
    }
    data[(b + 1) * 32 + t] = ((volatile int *)data)[b * 32 + t] + 1;
    __threadfence();
    __syncthreads();
    if (t == 0)
        atomicExch(&flag[b], 1);
}
