/* A counter in shared memory, without an atomic.

   block  64
   out    y = empty(1, i4)
   call   f(y)
   expect y = 64
   report race: space == "shared" and variable == "count"
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
#ifdef RIGHT
    atomicAdd(&count, 1);
#else
    count += 1; // FAULT
#endif
    __syncthreads();
    if (threadIdx.x == 0)
        *y = count;
}
