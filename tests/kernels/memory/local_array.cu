/* A local array written and read at indices known only at run time.

   let    n = 400
   in     x = ints(0, 15, (n, 24), u1)
   out    y = empty((n, 16), i4)
   call   histogram(x, y, n)
   expect y = [bincount(r, minlength=16)[bincount(r, minlength=16) * 7 % 16] for r in x]
*/
extern "C" __global__ void histogram(const unsigned char *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int bins[16] = {0};
    for (int k = 0; k < 24; k++)
        bins[x[24 * i + k]]++;
    for (int k = 0; k < 16; k++)
        y[16 * i + k] = bins[bins[k] * 7 % 16];
}
