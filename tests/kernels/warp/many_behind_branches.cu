/* More shuffles in a row than code is made for at each: a Walsh transform of 256 numbers by a warp, whose
   rows of threads may be half of a warp; lanes come to the first shuffle on two ways.

   block  32x1 32x4 32x5 16x4 16x6
   vary   rows = 1, 7, 12
   let    grid = (cdiv(rows, threads // 32), 1)
   in     x = floats((rows, 256))
   def    sylvester(): return array([[1 - 2 * (bin(i & j).count("1") & 1) for j in range(256)] for i in range(256)])
   out    y = empty((rows, 256), f4)
   call   walsh(x, y, rows)
   near   1e-4 y = x.astype(f8) @ sylvester()
*/
#define EACH 8
extern "C" __global__ void walsh(const float *x, float *y, int rows)
{
    int thread = threadIdx.y * blockDim.x + threadIdx.x, lane = thread % 32;
    int row = blockIdx.x * (blockDim.x * blockDim.y / 32) + thread / 32;
    if (row >= rows)
        return;
    float v[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++)
        v[k] = x[row * 256 + k * 32 + lane];
    float other;
    if (lane & 1)
        other = __shfl_xor_sync(~0u, v[0], 1) - v[0];
    else
        other = v[0] + __shfl_xor_sync(~0u, v[0], 1);
    v[0] = other;
#pragma unroll
    for (int h = 1; h < 32; h *= 2) {
#pragma unroll
        for (int k = h == 1; k < EACH; k++) {
            float more = __shfl_xor_sync(~0u, v[k], h);
            v[k] = lane & h ? more - v[k] : v[k] + more;
        }
    }
#pragma unroll
    for (int h = 1; h < EACH; h *= 2)
#pragma unroll
        for (int k = 0; k < EACH; k++)
            if (!(k & h)) {
                float a = v[k], b = v[k + h];
                v[k] = a + b;
                v[k + h] = a - b;
            }
#pragma unroll
    for (int k = 0; k < EACH; k++)
        y[row * 256 + k * 32 + lane] = v[k];
}
