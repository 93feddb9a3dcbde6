/* A barrier of all blocks made of a counter: what one wrote before it, others read behind it, turn by turn.

   block  32
   let    grid = 2
   inout  count = zeros(1, u4)
   inout  x = arange(64, dtype=i4)
   inout  y = zeros(64, i4)
   call   f(count, x, y)
   expect x = (arange(64) + 4) % 64
*/
__device__ void wait_for_all(unsigned *count, unsigned turn)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < turn * gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
}

extern "C" __global__ void f(unsigned *count, int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x, turn = 0;
    for (int k = 0; k < 2; k++) {
        y[i] = x[(i + 1) % n];
        wait_for_all(count, ++turn);
        x[i] = y[(i + 1) % n];
        wait_for_all(count, ++turn);
    }
}
