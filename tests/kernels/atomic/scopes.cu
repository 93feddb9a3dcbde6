/* The _block and _system forms of atomics, and fences of all scopes.

   block  1 32 33 256
   let    grid = 3
   inout  y = zeros(5, i4)
   call   scopes(y)
   let    n = threads * 3
   expect y = [threads * (threads - 1) // 2 * 3, n, n, 2, n]
*/
extern "C" __global__ void scopes(int *y)
{
    __shared__ int s;
    int t = threadIdx.x;
    if (t == 0)
        s = 0;
    __syncthreads();
    atomicAdd_block(&s, t);
    __threadfence_block();
    __syncthreads();
    if (t == 0)
        atomicAdd(&y[0], s);
    atomicAdd_system(&y[1], 1);
    __threadfence_system();
    atomicAdd(&y[2], 1);
    atomicMax(&y[3], (int)blockIdx.x);
    atomicSub(&y[4], -1);
}
