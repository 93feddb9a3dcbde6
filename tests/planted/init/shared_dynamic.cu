/* The second of two arrays in dynamic shared memory is read before it is filled.

   block  32
   out    y = empty(32, f4)
   call   f[1, 32, 256](y)
   expect y = 2
   report init read: space == "shared" and bytes == 4 and offset >= 128
*/
extern "C" __global__ void f(float *y)
{
    extern __shared__ float s[];
    int t = threadIdx.x;
    s[t] = 1;
#ifdef RIGHT
    s[32 + t] = 1;
#endif
    __syncthreads();
    y[t] = s[31 - t] + s[63 - t]; // FAULT
}
