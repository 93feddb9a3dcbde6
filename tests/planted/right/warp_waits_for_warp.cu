/* One warp waits for the flag of another, by volatile and fence, in one block.

   block  64
   out    y = empty(32, i4)
   call   f(y)
   expect y = arange(32) * 3
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int data[32], flag;
    int t = threadIdx.x;
    if (t == 0)
        flag = 0;
    __syncthreads();
    if (t < 32) {
        data[t] = 3 * t;
        __threadfence_block();
        atomicAdd(&flag, 1);
    } else {
        while (atomicAdd(&flag, 0) < 32)
            ;
        __threadfence_block();
        y[t - 32] = ((volatile int *)data)[t - 32];
    }
}
