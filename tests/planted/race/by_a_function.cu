/* Functions of their own write and read, and nobody waits.

   block  64
   out    y = empty(64, i4)
   call   f(y)
   expect y = 2 * (63 - arange(64))
   report race: space == "shared"
*/
__device__ __noinline__ void put(int *s, int i)
{
    s[i] = 2 * i; // FAULT
}

__device__ __noinline__ int get(const int *s, int i)
{
    return s[63 - i]; // OTHER
}

extern "C" __global__ void f(int *y)
{
    __shared__ int s[64];
    put(s, threadIdx.x);
#ifdef RIGHT
    __syncthreads();
#endif
    y[threadIdx.x] = get(s, threadIdx.x);
}
