/* The last turns of a reduction in one warp, with __syncwarp between reads and writes.

   block  64
   in     x = ints(-9, 9, 64)
   out    y = empty(1, i4)
   call   f(x, y)
   expect y = x.sum()
*/
extern "C" __global__ void f(const int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 32) {
        int v = s[t];
        for (int by = 32; by > 0; by /= 2) {
            v += s[t + by];
            __syncwarp();
            s[t] = v;
            __syncwarp();
        }
    }
    if (t == 0)
        *y = s[0];
}
