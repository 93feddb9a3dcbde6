/* Several static shared arrays of different types next to dynamic shared memory: none may overlap.

   block  1 32 33 100 256
   let    n = threads * 2
   out    y = empty((n, 5), i4)
   call   overlap[2, None, 4 * threads](y)
   let    t = tile(arange(threads)[::-1], 2)
   expect y = stack([t % 128, t * 2, t * 1000, t * t, t + 7], 1)
*/
extern "C" __global__ void overlap(int *y)
{
    __shared__ char a[256];
    __shared__ short b[256];
    __shared__ double c[256];
    __shared__ struct {
        int v;
        char pad;
    } d[256];
    extern __shared__ int e[];
    int t = threadIdx.x;
    a[t] = t % 128;
    b[t] = 2 * t;
    c[t] = 1000.0 * t;
    d[t].v = t * t;
    e[t] = t + 7;
    __syncthreads();
    int r = blockDim.x - 1 - t;
    int *p = y + 5 * (blockIdx.x * blockDim.x + t);
    p[0] = a[r];
    p[1] = b[r];
    p[2] = (int)c[r];
    p[3] = d[r].v;
    p[4] = e[r];
}
