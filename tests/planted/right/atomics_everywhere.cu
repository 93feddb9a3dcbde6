/* Atomics of all blocks on the same places, in shared and global memory.

   block  96
   let    grid = 4
   inout  y = zeros(3, i4)
   call   f(y)
   expect y = [384, 95, 4]
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int count, most;
    int t = threadIdx.x;
    if (t == 0) {
        count = 0;
        most = -1;
    }
    __syncthreads();
    atomicAdd(&count, 1);
    atomicMax(&most, t);
    __syncthreads();
    if (t == 0) {
        atomicAdd(&y[0], count);
        atomicMax(&y[1], most);
    }
    if (t == 64)
        atomicAdd(&y[2], 1);
}
