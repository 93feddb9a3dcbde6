/* Tickets, and whose turn it is: fences on both sides of what is plain in between, the turn is passed on by a volatile write.

   block  32
   let    grid = 7
   inout  lock = zeros(2, u4)
   inout  y = zeros(40, i4)
   call   f(lock, y)
   expect y = 7 * arange(40)
*/
extern "C" __global__ void f(unsigned *lock, int *y)
{
    if (threadIdx.x == 0) {
        unsigned mine = atomicAdd(&lock[0], 1);
        while (*(volatile unsigned *)&lock[1] != mine)
            ;
        __threadfence();
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 40; k += blockDim.x)
        y[k] += k;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        *(volatile unsigned *)&lock[1] = lock[1] + 1;
    }
}
