/* __syncwarp with a mask that does not name the caller.

   block  32
   out    y = empty(32, i4)
   call   f(y)
   expect y = arange(32)
   report sync
*/
extern "C" __global__ void f(int *y)
{
    int t = threadIdx.x;
    y[t] = t;
#ifdef RIGHT
    __syncwarp();
#else
    __syncwarp(0x0000ffff); // FAULT
#endif
}
