/* A recursive sum over an array that nobody has written.

   block  1
   out    x = empty(8, i4)
   out    y = empty(1, i4)
   do     cuda.memset_d32(int(x), 1, 8) if right else None
   call   f(x, y)
   expect y = 8
   report init read: bytes == 4
*/
__device__ __noinline__ int sum(const int *x, int n)
{
    if (n == 1)
        return *x; // FAULT
    return sum(x, n / 2) + sum(x + n / 2, n - n / 2);
}

extern "C" __global__ void f(const int *x, int *y)
{
    *y = sum(x, 8);
}
