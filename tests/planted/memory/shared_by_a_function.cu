/* A function that gets a pointer to shared memory and a length that is wrong.

   block  16
   out    y = empty(16, i4)
   call   f(y)
   expect y = 120
   report memory read: space == "shared" and variable == "s" and offset == 64
*/
__device__ __noinline__ int sum(const int *p, int n)
{
    int s = 0;
    for (int k = 0; k < n; k++)
        s += p[k]; // FAULT
    return s;
}

extern "C" __global__ void f(int *y)
{
    __shared__ int s[16];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
#ifdef RIGHT
    y[threadIdx.x] = sum(s, 16);
#else
    y[threadIdx.x] = sum(s, 17);
#endif
}
