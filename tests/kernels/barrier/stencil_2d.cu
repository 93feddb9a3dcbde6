/* Five-point heat steps on a tile with halo, threads on the edge load for their neighbours.

   block  16x16 32x4 8x8
   let    shape = (40, 53)
   let    grid = (cdiv(53, bx), cdiv(40, by))
   in     x = floats(shape)
   out    y = empty(shape, f4)
   let    p = pad(x.astype(f8), 1)
   call   heat(x, y, 53, 40)
   near   1e-6 y = x + 0.2 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * x)
*/
__device__ float at(const float *x, int r, int c, int height, int width)
{
    return r < 0 || c < 0 || r >= height || c >= width ? 0.0f : x[r * width + c];
}

extern "C" __global__ void heat(const float *x, float *y, int width, int height)
{
    __shared__ float s[18][34];
    int i = threadIdx.x + 1, j = threadIdx.y + 1, w = blockDim.x, h = blockDim.y;
    int c = blockIdx.x * w + threadIdx.x, r = blockIdx.y * h + threadIdx.y;
    s[j][i] = at(x, r, c, height, width);
    if (i == 1)
        s[j][0] = at(x, r, c - 1, height, width);
    if (i == w)
        s[j][w + 1] = at(x, r, c + 1, height, width);
    if (j == 1)
        s[0][i] = at(x, r - 1, c, height, width);
    if (j == h)
        s[h + 1][i] = at(x, r + 1, c, height, width);
    __syncthreads();
    if (c < width && r < height)
        y[r * width + c] =
            s[j][i] + 0.2f * (s[j - 1][i] + s[j + 1][i] + s[j][i - 1] + s[j][i + 1] - 4 * s[j][i]);
}
