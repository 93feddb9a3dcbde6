/* A tree in shared memory within each warp, read and write apart, __syncwarp between; no block
   barrier at all.

   block  32 64 256 1024
   let    n = threads
   in     x = ints(-99, 99, n)
   out    y = empty(threads // 32, i4)
   let    grid = 1
   call   tree(x, y)
   expect y = x.reshape(-1, 32).sum(1)
*/
extern "C" __global__ void tree(const int *x, int *y)
{
    __shared__ int s[1024];
    int t = threadIdx.x, lane = t & 31, v = x[t];
    s[t] = v;
    __syncwarp();
    for (int half = 16; half > 0; half >>= 1) {
        if (lane < half)
            v += s[t + half];
        __syncwarp();
        if (lane < half)
            s[t] = v;
        __syncwarp();
    }
    if (lane == 0)
        y[t / 32] = v;
}
