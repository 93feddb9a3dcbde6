/* A function of its own that gets array and index.

   block  16
   out    y = empty(16, f8)
   call   f(y)
   expect y = 0.5
   report memory write: bytes == 8 and offset == 128 and thread == (15, 0, 0)
*/
__device__ __noinline__ void put(double *y, int i)
{
    y[i] = 0.5; // FAULT
}

extern "C" __global__ void f(double *y)
{
#ifdef RIGHT
    put(y, threadIdx.x);
#else
    put(y, threadIdx.x + 1);
#endif
}
