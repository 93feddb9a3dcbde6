/* A lock in shared memory guards a list in shared memory; each thread appends once.

   block  1 31 32 64 128
   vary   grid = 1, 2
   out    y = empty((grid, threads), i4)
   call   append(y)
   expect sort(y, 1) = arange(threads) * 3 + zeros((grid, 1), i4)
*/
extern "C" __global__ void append(int *y)
{
    __shared__ int lock, size;
    __shared__ volatile int list[128];
    int t = threadIdx.x;
    if (t == 0)
        lock = size = 0;
    __syncthreads();
    bool waiting = true;
    while (waiting)
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence_block();
            int at = *(volatile int *)&size;
            list[at] = 3 * t;
            *(volatile int *)&size = at + 1;
            __threadfence_block();
            atomicExch(&lock, 0);
            waiting = false;
        }
    __syncthreads();
    y[blockIdx.x * blockDim.x + t] = list[t];
}
