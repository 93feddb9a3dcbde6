/* Loads through pointers and at indices that are good only under the guard.

   let    n = 700
   in     x = ints(-1000, 1000, 16)
   in     k = where(arange(n) % 3 == 0, ints(0, 15, n), ints(-2**31, 2**31 - 1, n)).astype(i4)
   out    y = empty(n, i4)
   call   load(x, u8(0), k, y, n)
   expect y = where((k >= 0) & (k < 16), x[clip(k, 0, 15)], -7)
*/
extern "C" __global__ void load(const int *x, const int *null, const int *k, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    bool good = k[i] >= 0 && k[i] < 16;
    const int *from = good ? x : null;
    int r = -7;
    if (from)
        r = from[k[i]];
    y[i] = r;
}
