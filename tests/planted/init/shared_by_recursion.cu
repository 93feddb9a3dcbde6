/* A recursive sum over shared memory of which one thread has written nothing.

   block  32
   out    y = empty(1, i4)
   call   f(y)
   expect y = 32
   report init read: space == "shared" and bytes == 4
*/
__device__ int sum(const int *x, int n)
{
    if (n == 1)
        return *x; // FAULT
    return sum(x, n / 2) + sum(x + n / 2, n - n / 2);
}

extern "C" __global__ void f(int *y)
{
    __shared__ int s[32];
#ifndef RIGHT
    if (threadIdx.x != 17)
#endif
        s[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        *y = sum(s, 32);
}
