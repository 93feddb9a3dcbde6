/* A recursive function writes, another reads, and nobody waits.

   block  64
   out    y = empty(64, i4)
   call   f(y)
   expect y = 63 - arange(64)
   report race: space == "shared" and bytes == 4
*/
__device__ void put(int *s, int i, int depth)
{
    if (depth == 0)
        s[i] = i; // FAULT
    else
        put(s, i, depth - 1);
}

__device__ int get(const int *s, int i, int depth)
{
    if (depth == 0)
        return s[63 - i]; // OTHER
    return get(s, i, depth - 1);
}

extern "C" __global__ void f(int *y)
{
    __shared__ int s[64];
    put(s, threadIdx.x, threadIdx.x % 3);
#ifdef RIGHT
    __syncthreads();
#endif
    y[threadIdx.x] = get(s, threadIdx.x, 2);
}
