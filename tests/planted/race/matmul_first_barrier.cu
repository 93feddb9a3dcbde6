/* A product of matrices in tiles, without the barrier in front of the inner loop.

   block  8x8
   let    n = 16
   let    grid = (2, 2)
   in     a = ints(-9, 9, (n, n)).astype(f4)
   in     b = ints(-9, 9, (n, n)).astype(f4)
   out    c = empty((n, n), f4)
   call   f(a, b, c, n)
   expect c = a @ b
   report race: space == "shared"
*/
extern "C" __global__ void f(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[8][8], bs[8][8];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * 8 + x, row = blockIdx.y * 8 + y;
    float sum = 0;
    for (int k = 0; k < n; k += 8) {
        as[y][x] = a[row * n + k + x];   // FAULT
        bs[y][x] = b[(k + y) * n + col]; // FAULT
#ifdef RIGHT
        __syncthreads();
#endif
        for (int i = 0; i < 8; i++)
            sum += as[y][i] * bs[i][x]; // OTHER
        __syncthreads();
    }
    c[row * n + col] = sum;
}
