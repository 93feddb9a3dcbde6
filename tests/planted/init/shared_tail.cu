/* A reduction of a length that fills the last block only in part.

   block  64
   let    grid = 2
   let    n = 100
   in     x = ones(n, i4)
   inout  y = zeros(1, i4)
   call   f(x, y, n)
   expect y = 100
   report init read: block == (1, 0, 0) and space == "shared" and variable == "s"
*/
extern "C" __global__ void f(const int *x, int *y, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
#ifdef RIGHT
    s[t] = 0;
#endif
    if (i < n)
        s[t] = x[i];
    __syncthreads();
    if (t == 0) {
        int sum = 0;
        for (int k = 0; k < 64; k++)
            sum += s[k]; // FAULT
        atomicAdd(y, sum);
    }
}
