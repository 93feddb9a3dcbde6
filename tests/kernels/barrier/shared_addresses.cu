/* Addresses of shared variables as numbers: their distance, the thread's element by its number, alignment.

   block  1 64 96
   let    n = threads
   let    t = arange(n)
   out    y = empty((n, 4), i4)
   call   f[1](y)
   expect y = stack([t, 3 * t, 0 * t, 0 * t + 1], 1)
*/
extern "C" __global__ void f(int *y)
{
    __shared__ __align__(64) int a[128], b[128];
    unsigned t = threadIdx.x;
    size_t apart = (size_t)b - (size_t)a, far = (size_t)&b[1] ^ (size_t)&a[1];
    unsigned low = (unsigned)(size_t)a;
    a[t] = t;
    *(int *)((size_t)a + apart + 4 * t) = 3 * t;
    __syncthreads();
    y[4 * t] = *(int *)((size_t)&b[t] - apart);
    y[4 * t + 1] = b[t];
    y[4 * t + 2] = low & 63;
    y[4 * t + 3] = far != 0 && (char *)b - (char *)a == (long long)apart;
}
