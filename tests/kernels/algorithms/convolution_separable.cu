/* Separable convolution with a constant kernel: rows, then columns, clamped at the border.

   block  16x16 32x4 64
   let    shape = (30, 50)
   let    grid = (cdiv(50, bx), cdiv(30, by))
   in     x = floats(shape)
   global taps = floats(5)
   out    t = empty(shape, f4)
   out    y = empty(shape, f4)
   let    p = pad(x.astype(f8), 2, mode="edge")
   let    rows = sum([p[:, k:k + 50] * taps[k] for k in range(5)], 0)
   call   pass_over(x, t, 50, 30, 1, 0)
   call   pass_over(t, y, 50, 30, 0, 1)
   near   1e-5 y = sum([rows[k:k + 30] * taps[k] for k in range(5)], 0)
*/
__constant__ float taps[5];

extern "C" __global__ void pass_over(const float *x, float *y, int width, int height, int dx, int dy)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= width || r >= height)
        return;
    float sum = 0;
    for (int k = -2; k <= 2; k++) {
        int i = min(max(c + k * dx, 0), width - 1), j = min(max(r + k * dy, 0), height - 1);
        sum += x[j * width + i] * taps[k + 2];
    }
    y[r * width + c] = sum;
}
