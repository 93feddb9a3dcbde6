/* A thread waits for a flag that another thread sets only behind a barrier for both.

   block  64
   out    y = empty(1, i4)
   call   f(y)
   expect y = 1
   report sync
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int flag;
    int t = threadIdx.x;
    if (t == 0)
        flag = 0;
    __syncthreads();
#ifdef RIGHT
    if (t == 40)
        atomicExch(&flag, 1);
#endif
    if (t == 0)
        while (atomicAdd(&flag, 0) == 0) // FAULT
            ;
    __syncthreads(); // FAULT
#ifndef RIGHT
    if (t == 40)
        atomicExch(&flag, 1);
#endif
    if (t == 0)
        *y = 1;
}
