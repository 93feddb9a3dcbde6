/* A launch with too few bytes of dynamic shared memory.

   block  64
   let    n = 64
   out    y = empty(n, i4)
   call   f[1, 64, 4 * n if right else 4 * n - 4](y)
   expect y = arange(n)[::-1]
   report memory write: thread == (63, 0, 0) and bytes == 4 and space == "shared" and variable == "s"
*/
extern "C" __global__ void f(int *y)
{
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = t; // FAULT
    __syncthreads();
    y[t] = s[blockDim.x - 1 - t];
}
