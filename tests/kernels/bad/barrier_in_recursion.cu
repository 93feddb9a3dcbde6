/* The host device cannot stop a recursive function at a barrier, and says so.

   host
   error  * recursive.*(barrier|__syncthreads)
*/
__device__ __noinline__ void turn(int *s, int depth)
{
    if (depth == 0)
        return;
    __syncthreads();
    s[threadIdx.x] += depth;
    turn(s, depth - 1);
}

extern "C" __global__ void f(int *y, int depth)
{
    turn(y, depth);
}
