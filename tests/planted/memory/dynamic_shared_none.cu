/* A launch that forgets the dynamic shared memory.

   block  32
   out    y = empty(32, f4)
   call   f[1, 32, 128 * right](y)
   expect y = 1
   report memory write: bytes == 4 and space == "shared"
*/
extern "C" __global__ void f(float *y)
{
    extern __shared__ float s[];
    s[threadIdx.x] = 1; // FAULT
    __syncthreads();
    y[threadIdx.x] = s[31 - threadIdx.x];
}
