/* A row too many of a tile in shared memory.

   block  8x9
   inout  y = zeros(8, f4)
   call   f(y)
   expect y = arange(8) * 8
   report memory write: thread[1] == 8 and space == "shared" and variable == "tile" and size == 256 and offset == 256 + 4 * thread[0]
*/
extern "C" __global__ void f(float *y)
{
    __shared__ float tile[8][8];
    int x = threadIdx.x, r = threadIdx.y;
#ifdef RIGHT
    if (r < 8)
#endif
        tile[r][x] = x; // FAULT
    __syncthreads();
    if (r == 0)
        for (int k = 0; k < 8; k++)
            y[x] += tile[k][x];
}
