/* Two arrays in dynamic shared memory, the second of which begins within the first.

   block  64
   out    y = empty(64, i4)
   call   f[1, 64, 512](y)
   expect y = 3 * arange(64)
   report race: space == "shared"
*/
extern "C" __global__ void f(int *y)
{
    extern __shared__ int s[];
    int *a = s;
#ifdef RIGHT
    int *b = s + 64;
#else
    int *b = s + 32;
#endif
    int t = threadIdx.x;
    a[t] = t;     // FAULT
    b[t] = 2 * t; // OTHER
    __syncthreads();
    y[t] = a[t] + b[t];
}
