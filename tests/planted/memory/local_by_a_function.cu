/* A function fills more than the array that it is given.

   block  8
   out    y = empty(8, i4)
   let    n = 5 if right else 6
   call   f(y, n)
   expect y = arange(8) + 4
   report memory write: space == "local" and bytes == 4 and offset == 20
*/
__device__ __noinline__ void fill(int *p, int n, int from)
{
    for (int k = 0; k < n; k++)
        p[k] = from + k; // FAULT
}

extern "C" __global__ void f(int *y, int n)
{
    int a[5];
    fill(a, n, threadIdx.x);
    y[threadIdx.x] = a[4];
}
