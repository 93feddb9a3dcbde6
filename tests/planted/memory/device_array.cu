/* Behind the last element of a __device__ array.

   block  33
   global a = zeros(32, i4)
   call   f()
   expect a = arange(32)
   report memory write: thread == (32, 0, 0) and variable == "a" and space == "global" and size == 128 and offset == 128
*/
__device__ int a[32];

extern "C" __global__ void f()
{
    int t = threadIdx.x;
#ifdef RIGHT
    if (t < 32)
#endif
        a[t] = t; // FAULT
}
