/* One thread of each block takes a global lock for its whole block, between barriers.

   block  1 32 100 256
   let    grid = 6
   inout  lock = zeros(1, i4)
   inout  total = zeros(threads, i4)
   call   add(lock, total)
   expect total = 1 + 2 + 3 + 4 + 5 + 6 + 6 * arange(threads)
*/
extern "C" __global__ void add(int *lock, volatile int *total)
{
    int t = threadIdx.x;
    if (t == 0) {
        while (atomicCAS(lock, 0, 1))
            ;
        __threadfence();
    }
    __syncthreads();
    total[t] = total[t] + blockIdx.x + 1 + t;
    __threadfence();
    __syncthreads();
    if (t == 0)
        atomicExch(lock, 0);
}
