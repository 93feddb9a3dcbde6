/* Atomics count, and a thread reads the count without a barrier.

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
    atomicAdd(&count, 1); // FAULT
#ifdef RIGHT
    __syncthreads();
#endif
    if (threadIdx.x == 0)
        *y = count; // OTHER
}
