/* A recursion that does not end.

   block  1
   in     x = ones(1, i4)
   out    y = empty(1, i4)
   call   f(x, y, 10 if right else -1)
   expect y = 11
   report memory
*/
__device__ int depth(const volatile int *x, int n)
{
    if (n == 0)
        return *x;
    return depth(x, n - 1) + *x; // FAULT
}

extern "C" __global__ void f(const int *x, int *y, int n)
{
    *y = depth(x, n);
}
