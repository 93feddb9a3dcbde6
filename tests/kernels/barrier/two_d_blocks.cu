/* Barriers in 2-D blocks whose rows are shorter than, equal to and longer than a warp.

   block  1 16x16 32x8 8x4 33x3 5x7 64x2 1x32
   let    shape = (by * 2, bx * 3)
   let    grid = (3, 2)
   in     x = ints(-99, 99, shape)
   out    y = empty(shape, i4)
   let    t = x.reshape(2, by, 3, bx)
   call   flip(x, y, 3 * bx)
   expect y = (t[:, ::-1, :, ::-1] + roll(t, -1, 1) * 1000).reshape(shape)
*/
extern "C" __global__ void flip(const int *x, int *y, int width)
{
    __shared__ int s[1024];
    int i = threadIdx.x, j = threadIdx.y, w = blockDim.x, h = blockDim.y;
    int at = (blockIdx.y * h + j) * width + blockIdx.x * w + i;
    s[j * w + i] = x[at];
    __syncthreads();
    y[at] = s[(h - 1 - j) * w + w - 1 - i] + s[(j + 1) % h * w + i] * 1000;
}
