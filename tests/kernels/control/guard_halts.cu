/* Threads behind the data would turn in a loop that does nothing, if there were any.

   block  32 33 256 16x4
   let    grid = 2
   let    n = 2 * threads
   out    y = empty(n, i4)
   out    z = empty(n, i4)
   call   f(y, n)
   call   g(z, n)
   expect y = arange(n)
   expect z = arange(n) + 1
*/
__device__ unsigned place()
{
    return (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
extern "C" __global__ void f(int *y, int n)
{
    int i = place();
    if (i >= n)
        while (true)
            ;
    y[i] = i;
}
extern "C" __global__ void g(int *z, int n)
{
    int i = place();
    if (i < n) {
        z[i] = i + 1;
        return;
    }
halt:
    goto halt;
}
