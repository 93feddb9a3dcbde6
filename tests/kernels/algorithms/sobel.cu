/* Sobel edges of a byte image: integer arithmetic, clamped to a byte, borders left alone.

   block  16x16 33 8x8
   let    shape = (29, 44)
   let    grid = (cdiv(44, bx), cdiv(29, by))
   in     x = ints(0, 255, shape, u1)
   inout  y = full(shape, 7, u1)
   let    v = x.astype(i4)
   let    gx = v[:-2, 2:] + 2 * v[1:-1, 2:] + v[2:, 2:] - v[:-2, :-2] - 2 * v[1:-1, :-2] - v[2:, :-2]
   let    gy = v[2:, :-2] + 2 * v[2:, 1:-1] + v[2:, 2:] - v[:-2, :-2] - 2 * v[:-2, 1:-1] - v[:-2, 2:]
   call   sobel(x, y, 44, 29)
   expect y = pad(minimum(abs(gx) + abs(gy), 255), 1, constant_values=7)
*/
extern "C" __global__ void sobel(const unsigned char *x, unsigned char *y, int width, int height)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c == 0 || r == 0 || c >= width - 1 || r >= height - 1)
        return;
    const unsigned char *p = x + r * width + c;
    int gx = p[1 - width] + 2 * p[1] + p[1 + width] - p[-1 - width] - 2 * p[-1] - p[-1 + width];
    int gy = p[width - 1] + 2 * p[width] + p[width + 1] - p[-width - 1] - 2 * p[-width] - p[1 - width];
    y[r * width + c] = min(abs(gx) + abs(gy), 255);
}
