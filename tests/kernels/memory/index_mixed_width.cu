/* One index built from signed, unsigned, narrow and wide parts; negative offsets from a pointer.

   let    n = 200
   in     x = ints(-999, 999, 3 * n)
   in     d = ints(-100, 100, n, i1)
   out    y = empty((n, 3), i4)
   let    i = arange(n)
   call   offset(x, d, y, n)
   expect y = stack([x[n + i + d], x[n + i - 100], x[n + (i * 7 % 256) % n]], 1)
*/
extern "C" __global__ void offset(const int *x, const signed char *d, int *y, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int *middle = x + n;
    y[3 * i] = middle[(int)i + d[i]];
    y[3 * i + 1] = middle[(long)i - 100];
    unsigned char low = i * 7;
    y[3 * i + 2] = *(middle + low % n);
}
