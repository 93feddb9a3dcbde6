/* Software pipelining: the next tile is loaded into registers while the current one is used.

   block  32 64 256
   let    n = threads * 7
   in     x = ints(-99, 99, n)
   out    y = empty(threads, i4)
   let    grid = 1
   let    t = x.reshape(7, threads)
   call   pipeline(x, y, 7)
   expect y = sum([roll(t[k], -k) * (k + 1) for k in range(7)], 0)
*/
extern "C" __global__ void pipeline(const int *x, int *y, int tiles)
{
    __shared__ int s[2][256];
    int t = threadIdx.x, n = blockDim.x, next = x[t], sum = 0;
    for (int k = 0; k < tiles; k++) {
        s[k % 2][t] = next;
        __syncthreads();
        if (k + 1 < tiles)
            next = x[(k + 1) * n + t];
        sum += s[k % 2][(t + k) % n] * (k + 1);
    }
    y[t] = sum;
}
