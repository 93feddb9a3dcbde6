/* One block hands data to another by a flag, without fences.

   block  32
   let    grid = 2
   inout  data = zeros(32, i4)
   inout  flag = zeros(1, i4)
   out    y = empty(32, i4)
   call   f(data, flag, y)
   expect y = arange(32) + 1
   report race: space == "global" and variable == "data"
*/
extern "C" __global__ void f(int *data, int *flag, int *y)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t + 1; // FAULT
#ifdef RIGHT
        __threadfence();
#endif
        __syncthreads();
        if (t == 0)
            atomicExch(flag, 1);
    } else {
        if (t == 0)
            while (atomicAdd(flag, 0) == 0)
                ;
        __syncthreads();
#ifdef RIGHT
        __threadfence();
#endif
        y[t] = ((volatile int *)data)[t]; // OTHER
    }
}
