/* Matrix product in 16x16 tiles, square and rectangular, sizes that are no multiple of the tile.

   block  16x16
   vary   size = (64, 64, 64), (1, 1, 1), (17, 40, 33), (50, 7, 100)
   let    m = size[0]
   let    k = size[1]
   let    n = size[2]
   let    grid = (cdiv(n, 16), cdiv(m, 16))
   in     a = floats((m, k))
   in     b = floats((k, n))
   out    c = empty((m, n), f4)
   call   product(a, b, c, m, k, n)
   near   1e-5 c = a @ b
*/
#define TILE 16

extern "C" __global__ void product(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float p[TILE][TILE], q[TILE][TILE];
    int i = threadIdx.x, j = threadIdx.y;
    int column = blockIdx.x * TILE + i, row = blockIdx.y * TILE + j;
    float sum = 0;
    for (int first = 0; first < k; first += TILE) {
        p[j][i] = row < m && first + i < k ? a[row * k + first + i] : 0.0f;
        q[j][i] = column < n && first + j < k ? b[(first + j) * n + column] : 0.0f;
        __syncthreads();
        for (int t = 0; t < TILE; t++)
            sum += p[j][t] * q[t][i];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
