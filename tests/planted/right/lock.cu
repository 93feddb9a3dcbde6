/* A lock around a plain counter: compare and swap, fence, work, fence, exchange.

   block  32
   let    grid = 6
   inout  lock = zeros(1, i4)
   inout  y = zeros(1, i4)
   call   f(lock, y)
   expect y = 6
*/
extern "C" __global__ void f(int *lock, volatile int *y)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
        *y = *y + 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}
