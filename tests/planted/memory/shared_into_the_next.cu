/* Past the end of one shared array and into another: all of it is the block's own memory.

   block  32
   out    y = empty(32, i4)
   call   f(y)
   expect y = 10 + 100
   report memory write: thread[0] >= 16 and space == "shared" and variable == "a" and size == 64
*/
extern "C" __global__ void f(int *y)
{
#ifdef RIGHT
    __shared__ int a[32], b[32];
#else
    __shared__ int a[16], b[32];
#endif
    int t = threadIdx.x;
    b[t] = 100;
    __syncthreads();
    a[t] = 10; // FAULT
    __syncthreads();
    y[t] = b[t] + a[t];
}
