/* Tiled transpose, tile padded by one column, blocks of 32x8 that loop over the tile's rows.

   block  32x8 32x32 32x1
   vary   shape = (64, 96), (1, 1), (33, 70), (100, 31)
   let    grid = (cdiv(shape[1], 32), cdiv(shape[0], 32))
   in     x = floats(shape)
   out    y = empty(shape[::-1], f4)
   call   transpose(x, y, shape[1], shape[0])
   expect y = x.T
*/
#define TILE 32

extern "C" __global__ void transpose(const float *x, float *y, int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];
    int c = blockIdx.x * TILE + threadIdx.x, r = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += blockDim.y)
        if (c < width && r + k < height)
            tile[threadIdx.y + k][threadIdx.x] = x[(r + k) * width + c];
    __syncthreads();
    c = blockIdx.y * TILE + threadIdx.x;
    r = blockIdx.x * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += blockDim.y)
        if (c < height && r + k < width)
            y[(r + k) * height + c] = tile[threadIdx.x][threadIdx.y + k];
}
