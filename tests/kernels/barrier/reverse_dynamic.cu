/* The same through dynamic shared memory, carved into three arrays of different types.

   let    n = threads * 3
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   call   reverse[3, None, threads * 13](x, y)
   let    back = x.reshape(3, threads)[:, ::-1]
   expect y = (back * 3 + arange(threads)[::-1] + wrap(back, u1)).reshape(-1)
*/
extern "C" __global__ void reverse(const int *x, int *y)
{
    extern __shared__ double memory[];
    double *d = memory;
    int *k = (int *)(d + blockDim.x);
    unsigned char *b = (unsigned char *)(k + blockDim.x);
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, r = blockDim.x - 1 - t;
    d[t] = x[i] * 3;
    k[t] = t;
    b[t] = x[i];
    __syncthreads();
    y[i] = (int)d[r] + k[r] + b[r];
}
