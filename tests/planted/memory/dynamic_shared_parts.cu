/* Two arrays in dynamic shared memory that has room for one and a half.

   block  32
   let    n = 32
   out    y = empty(n, f4)
   call   f[1, n, 8 * n if right else 6 * n](y)
   expect y = arange(n) + 1
   report memory write: thread[0] >= 16 and space == "shared"
*/
extern "C" __global__ void f(float *y)
{
    extern __shared__ float s[];
    float *a = s, *b = s + blockDim.x;
    int t = threadIdx.x;
    a[t] = t;
    b[t] = 1; // FAULT
    __syncthreads();
    y[t] = a[t] + b[31 - t];
}
