/* No barrier at the end of a loop over tiles: the next tile overwrites what others have yet to read.

   block  16x16
   let    n = 40
   in     x = floats((n, 16))
   out    y = empty((n, 16), f4)
   call   f[1](x, y, n)
   expect y = x - concatenate([zeros((1, 16), f4), x[:-1]])
   report race: space == "shared" and variable == "s"
*/
extern "C" __global__ void f(const float *x, float *y, int n)
{
    __shared__ float s[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    for (int b = 0; b < (n + 15) / 16; b++) {
        int r = ty + b * 16;
        float above = r > 0 && r < n ? x[(r - 1) * 16 + tx] : 0;
        if (r < n)
            s[ty][tx] = x[r * 16 + tx]; // FAULT
        __syncthreads();
        if (r < n) {
            if (ty > 0)
                above = s[ty - 1][tx]; // OTHER
            y[r * 16 + tx] = x[r * 16 + tx] - above;
        }
#ifdef RIGHT
        __syncthreads();
#endif
    }
}
