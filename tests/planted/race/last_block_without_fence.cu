/* Sums of blocks, added by the last one to come, without the fence in front of the counter.

   block  64
   let    grid = 5
   in     x = ints(-9, 9, 320)
   inout  part = zeros(5, i4)
   inout  count = zeros(1, u4)
   out    y = empty(1, i4)
   call   f(x, part, count, y)
   expect y = x.sum()
   report race: space == "global" and variable == "part" and block != other_block
*/
extern "C" __global__ void f(const int *x, int *part, unsigned *count, int *y)
{
    __shared__ int s;
    int t = threadIdx.x;
    if (t == 0)
        s = 0;
    __syncthreads();
    atomicAdd(&s, x[blockIdx.x * blockDim.x + t]);
    __syncthreads();
    if (t == 0) {
        part[blockIdx.x] = s; // FAULT
#ifdef RIGHT
        __threadfence();
#endif
        if (atomicInc(count, gridDim.x) == gridDim.x - 1) {
#ifdef RIGHT
            __threadfence();
#endif
            int sum = 0;
            for (int k = 0; k < gridDim.x; k++)
                sum += ((volatile int *)part)[k]; // OTHER
            *y = sum;
        }
    }
}
