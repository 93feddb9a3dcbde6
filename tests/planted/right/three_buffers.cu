/* Tiles in three buffers that take turns, with one barrier each.

   block  64
   let    n = 10
   in     x = ints(0, 99, (n, 64))
   out    y = empty((n, 64), i4)
   call   f(x, y, n)
   expect y = x[:, ::-1]
*/
extern "C" __global__ void f(const int *x, int *y, int n)
{
    __shared__ int s[3][64];
    int t = threadIdx.x;
    for (int k = 0; k < n; k++) {
        s[k % 3][t] = x[k * 64 + t];
        __syncthreads();
        y[k * 64 + t] = s[k % 3][63 - t];
    }
}
