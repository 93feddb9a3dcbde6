/* A transposition through shared memory without its barrier.

   block  16x16
   in     x = floats((16, 16))
   out    y = empty((16, 16), f4)
   call   f[1](x, y)
   expect y = x.T
   report race: space == "shared" and variable == "tile"
*/
extern "C" __global__ void f(const float *x, float *y)
{
    __shared__ float tile[16][17];
    int i = threadIdx.x, k = threadIdx.y;
    tile[k][i] = x[k * 16 + i]; // FAULT
#ifdef RIGHT
    __syncthreads();
#endif
    y[k * 16 + i] = tile[i][k]; // OTHER
}
