/* A product of matrices in tiles, without the barrier behind the inner loop.

   block  16x16
   let    n = 48
   let    grid = (3, 3)
   in     a = ints(-9, 9, (n, n)).astype(f4)
   in     b = ints(-9, 9, (n, n)).astype(f4)
   out    c = empty((n, n), f4)
   call   f(a, b, c, n)
   expect c = a @ b
   report race: space == "shared" and variable in ("as", "bs")
*/
extern "C" __global__ void f(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[16][16], bs[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        as[y][x] = a[row * n + k + x];   // FAULT
        bs[y][x] = b[(k + y) * n + col]; // FAULT
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += as[y][i] * bs[i][x]; // OTHER
#ifdef RIGHT
        __syncthreads();
#endif
    }
    c[row * n + col] = sum;
}
