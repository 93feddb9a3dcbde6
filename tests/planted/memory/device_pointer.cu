/* A __device__ pointer that one kernel sets and another follows too far.

   block  32
   let    n = 32
   out    x = empty(n, i4)
   call   set[1, 1](x)
   call   fill()
   expect x = arange(n)
   report memory write: thread == (31, 0, 0) and bytes == 4 and kernel == "fill" and offset == 4 * n and size == 4 * n
*/
__device__ int *where;

extern "C" __global__ void set(int *x)
{
    where = x;
}

extern "C" __global__ void fill()
{
#ifdef RIGHT
    where[threadIdx.x] = threadIdx.x;
#else
    where[threadIdx.x + 1] = threadIdx.x; // FAULT
#endif
}
