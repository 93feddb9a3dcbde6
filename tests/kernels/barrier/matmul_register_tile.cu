/* Matrix product where each thread keeps a 4x4 tile in a local array across the barriers.

   block  8x8
   vary   size = (32, 16, 32), (64, 48, 96)
   let    m = size[0]
   let    k = size[1]
   let    n = size[2]
   let    grid = (n // 32, m // 32)
   in     a = floats((m, k), f8)
   in     b = floats((k, n), f8)
   out    c = empty((m, n), f8)
   call   product(a, b, c, k, n)
   near   1e-12 c = a @ b
*/
extern "C" __global__ void product(const double *a, const double *b, double *c, int k, int n)
{
    __shared__ double p[8][32], q[8][32];
    int i = threadIdx.x, j = threadIdx.y, t = j * 8 + i;
    double sum[4][4] = {};
    a += blockIdx.y * 32 * k;
    b += blockIdx.x * 32;
    c += blockIdx.y * 32 * n + blockIdx.x * 32;
    for (int first = 0; first < k; first += 8) {
        for (int e = t; e < 256; e += 64) {
            p[e % 8][e / 8] = a[e / 8 * k + first + e % 8];
            q[e / 32][e % 32] = b[(first + e / 32) * n + e % 32];
        }
        __syncthreads();
        for (int d = 0; d < 8; d++)
            for (int r = 0; r < 4; r++)
                for (int s = 0; s < 4; s++)
                    sum[r][s] += p[d][j * 4 + r] * q[d][i * 4 + s];
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        for (int s = 0; s < 4; s++)
            c[(j * 4 + r) * n + i * 4 + s] = sum[r][s];
}
