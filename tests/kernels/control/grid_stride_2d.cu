/* A grid-stride loop over both axes of an image, 64-bit counters.

   block  1 32 16x16 8x4 3x5 1x64
   vary   shape = (37, 53), (1, 200), (64, 64)
   vary   grid = (2, 3), 1, (cdiv(shape[1], bx), cdiv(shape[0], by))
   in     x = ints(-1000, 1000, shape)
   out    y = empty(shape, i4)
   call   stride(x, y, i8(shape[1]), i8(shape[0]))
   expect y = x * 3 + arange(shape[1]) - 2 * arange(shape[0])[:, None]
*/
extern "C" __global__ void stride(const int *x, int *y, long long width, long long height)
{
    for (long long r = blockIdx.y * blockDim.y + threadIdx.y; r < height;
         r += (long long)gridDim.y * blockDim.y)
        for (long long c = blockIdx.x * blockDim.x + threadIdx.x; c < width;
             c += (long long)gridDim.x * blockDim.x)
            y[r * width + c] = x[r * width + c] * 3 + (int)c - 2 * (int)r;
}
