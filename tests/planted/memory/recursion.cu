/* A recursive function that goes one level too deep into its array.

   block  4
   let    grid = 1
   out    y = empty(4, i4)
   let    n = 10
   out    x = empty(n, i4)
   call   f(x, y, n - 1 if right else n)
   expect y = 55 - 10
   report memory write: bytes == 4 and offset == 40 and size == 40
*/
__device__ __noinline__ int down(int *x, int depth)
{
    if (depth < 0)
        return 0;
    x[depth] = depth; // FAULT
    return depth + down(x, depth - 1);
}

extern "C" __global__ void f(int *x, int *y, int depth)
{
    if (threadIdx.x == 0)
        y[0] = down(x, depth);
    else
        y[threadIdx.x] = 45;
}
