/* A histogram in shared memory with a bin too few.

   block  64
   inout  count = zeros(8, i4)
   in     x = arange(64, dtype=i4) % (8 if right else 9)
   call   f(x, count)
   expect count = 8
   report memory atomic: thread[0] % 9 == 8 and bytes == 4 and space == "shared" and variable == "bins" and offset == 32
*/
extern "C" __global__ void f(const int *x, int *count)
{
    __shared__ int bins[8];
    int t = threadIdx.x;
    if (t < 8)
        bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[x[t]], 1); // FAULT
    __syncthreads();
    if (t < 8)
        count[t] = bins[t];
}
