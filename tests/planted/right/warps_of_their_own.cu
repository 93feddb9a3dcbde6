/* Each warp has its part of shared memory and waits for its own lanes only.

   block  128
   in     x = ints(-9, 9, 128)
   out    y = empty(128, i4)
   call   f(x, y)
   expect y = x.reshape(-1, 32)[:, ::-1].ravel()
*/
extern "C" __global__ void f(const int *x, int *y)
{
    __shared__ int s[4][32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int k = 0; k < 3; k++) {
        s[warp][lane] = x[threadIdx.x];
        __syncwarp();
        y[threadIdx.x] = s[warp][31 - lane];
        __syncwarp();
    }
}
