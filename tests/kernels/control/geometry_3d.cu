/* threadIdx, blockIdx, blockDim and gridDim of 3-D launches, all of them stored.

   block  1 32 8x4x2 3x5x7 1x1x64 16x8x8 2x2x33
   vary   grid = 1, (2, 3, 4), (1, 1, 5), (5, 1, 2)
   let    g = append(grid, [1, 1])[:3]
   let    total = threads * int(prod(g))
   out    y = empty((total, 6), i4)
   def    f(t):
              b, t = divmod(t, threads)
              return (t % bx, t // bx % by, t // bx // by,
                      b % g[0], b // g[0] % g[1], b // g[0] // g[1])
   call   places(y, 0)
   expect y = [f(t) for t in range(total)]
*/
extern "C" __global__ void places(int *y, int zero)
{
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int *p = y + 6 * (block * (blockDim.x * blockDim.y * blockDim.z) + thread);
    p[0] = threadIdx.x;
    p[1] = threadIdx.y;
    p[2] = threadIdx.z;
    p[3] = blockIdx.x + zero;
    p[4] = blockIdx.y;
    p[5] = blockIdx.z;
}
