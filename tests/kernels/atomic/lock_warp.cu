/* A spin lock taken by every thread, also those of one warp (works since Volta: lanes advance
   independently).

   block  1 2 32 64 256
   vary   grid = 1, 3
   inout  lock = zeros(1, i4)
   inout  value = array([7, 0], i4)
   let    n = threads * grid
   call   count(lock, value)
   expect value = [7 + n, sum(arange(n) % threads)]
   expect lock = 0
*/
extern "C" __global__ void count(int *lock, volatile int *value)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    value[0] = value[0] + 1;
    value[1] = value[1] + threadIdx.x;
    __threadfence();
    atomicExch(lock, 0);
}
