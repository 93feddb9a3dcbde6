/* A function that is called through a pointer writes what the kernel reads.

   block  64
   out    y = empty(64, i2)
   call   f(y, 1)
   expect y = 3 * (63 - arange(64))
   report race: space == "shared" and variable == "s" and bytes == 2
*/
__shared__ short s[64];

__device__ void once(int i)
{
    s[i] = i;
}

__device__ void thrice(int i)
{
    s[i] = 3 * i; // FAULT
}

__device__ void (*const functions[])(int) = {once, thrice};

extern "C" __global__ void f(short *y, int which)
{
    functions[which](threadIdx.x);
#ifdef RIGHT
    __syncthreads();
#endif
    y[threadIdx.x] = s[63 - threadIdx.x]; // OTHER
}
