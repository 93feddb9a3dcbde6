/* A wave step in true 3-D blocks with periodic borders by remainders of signed numbers.

   block  1 4x4x4 8x4x2 32 3x3x3
   let    shape = (6, 10, 14)
   let    grid = (cdiv(14, bx), cdiv(10, by), cdiv(6, bz))
   in     now = ints(-99, 99, shape)
   inout  before = ints(-99, 99, shape)
   call   wave(now, before, 14, 10, 6)
   expect before = 2 * now - before + sum([roll(now, s, a) - now for s in (-1, 1) for a in range(3)], 0)
*/
__device__ int at(const int *v, int i, int j, int k, int nx, int ny, int nz)
{
    i = (i % nx + nx) % nx;
    j = (j % ny + ny) % ny;
    k = (k % nz + nz) % nz;
    return v[(k * ny + j) * nx + i];
}

extern "C" __global__ void wave(const int *now, int *before, int nx, int ny, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
        k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i >= nx || j >= ny || k >= nz)
        return;
    int here = at(now, i, j, k, nx, ny, nz), sum = -6 * here;
    for (int s = -1; s <= 1; s += 2)
        sum += at(now, i + s, j, k, nx, ny, nz) + at(now, i, j + s, k, nx, ny, nz) +
               at(now, i, j, k + s, nx, ny, nz);
    int e = (k * ny + j) * nx + i;
    before[e] = 2 * here - before[e] + sum;
}
