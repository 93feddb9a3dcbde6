/* Lane and warp numbers in 1-D, 2-D and 3-D blocks: warps are cut from the linear thread number.

   block  1 31 33 256 16x16 5x7 3x4x5 32x2 1x64
   let    n = threads * 2
   out    y = empty((n, 2), i4)
   let    grid = 2
   let    t = tile(arange(threads), 2)
   call   lanes(y)
   expect y = stack([t - t % 32, t], 1)
*/
extern "C" __global__ void lanes(int *y)
{
    int size = blockDim.x * blockDim.y * blockDim.z;
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int left = size - t / 32 * 32;
    unsigned mask = left >= 32 ? 0xffffffffu : (1u << left) - 1;
    int first = __shfl_sync(mask, t, 0);
    int *p = y + 2 * (blockIdx.x * size + t);
    p[0] = first;
    p[1] = first + __popc(__ballot_sync(mask, 1) & (1u << t % warpSize) - 1);
}
