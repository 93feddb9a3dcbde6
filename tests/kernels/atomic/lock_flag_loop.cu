/* A spin lock in the other idiom: try, work, set a flag; a lock for each of four cells.

   block  1 32 100 256
   vary   grid = 1, 2
   let    n = threads * grid
   inout  lock = zeros(4, i4)
   inout  cell = ones((4, 2), i4)
   call   work(lock, cell)
   let    i = arange(n)
   expect cell[:, 0] = [1 + (i % 4 == k).sum() for k in range(4)]
   expect cell[:, 1] = [1 + i[i % 4 == k].sum() for k in range(4)]
*/
extern "C" __global__ void work(int *lock, volatile int *cell)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = i % 4;
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock[k], 0, 1) == 0) {
            __threadfence();
            cell[2 * k] = cell[2 * k] + 1;
            cell[2 * k + 1] = cell[2 * k + 1] + i;
            __threadfence();
            atomicExch(&lock[k], 0);
            done = true;
        }
    }
}
