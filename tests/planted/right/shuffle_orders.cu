/* Warp functions and __syncwarp between writes and reads of other lanes.

   block  32
   out    y = empty(32, i4)
   call   f(y)
   expect y = 31 - arange(32)
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    int v = s[31 - t];
    int all = __all_sync(0xffffffff, v >= 0);
    __syncwarp();
    s[t] = all ? v : -1;
    __syncwarp();
    y[t] = s[t];
}
