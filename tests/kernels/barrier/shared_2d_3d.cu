/* Two- and three-dimensional shared arrays in a 3-D block.

   block  1 4x4x4 8x4x2 2x3x5 16x8x4
   let    shape = (bz, by, bx)
   in     x = ints(-99, 99, shape)
   out    y = empty(shape, i4)
   let    grid = 1
   call   turn(x, y)
   expect y = x[::-1, :, ::-1] + x[:, ::-1, :1] * 1000
*/
extern "C" __global__ void turn(const int *x, int *y)
{
    __shared__ int a[8][8][16], b[8][8];
    unsigned i = threadIdx.x, j = threadIdx.y, k = threadIdx.z;
    unsigned at = (k * blockDim.y + j) * blockDim.x + i;
    a[k][j][i] = x[at];
    if (i == 0)
        b[k][j] = x[at];
    __syncthreads();
    y[at] = a[blockDim.z - 1 - k][j][blockDim.x - 1 - i] + b[k][blockDim.y - 1 - j] * 1000;
}
