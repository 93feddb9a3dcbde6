/* Threads on one side of a constant: below, from it on, at it alone and all but it, between barriers, where the constant is
   a multiple of the vectors' width, or not, or lies behind the block; in blocks of one row and of several.

   block  1 31 32 33 48 64 96x2 100 128 256 512 1000 1024
   let    n = bx
   in     x = ints(-1000, 1000, n, i4)
   out    y = empty((6, n), i4)
   out    z = empty((6, n), i4)
   let    t = arange(n)
   def    before(d): return where(t >= d, x[maximum(t - d, 0)], 0)
   def    behind(d, k): return where((t < d) & (t + k < n), x[minimum(t + k, n - 1)], 0)
   call   sides[1, None](y, x)
   call   row[1, bx](z, x)
   expect y[0] = x + behind(32, 32)
   expect y[1] = x + before(40)
   expect y[2] = x + before(64)
   expect y[3] = where(t == 33, -x, x)
   expect y[4] = where(t != 64, 2 * x, x)
   expect y[5] = cumsum(x)
   expect z[0] = x + behind(32, 32)
   expect z[1] = x + before(40)
   expect z[2] = x + before(64)
   expect z[3] = where(t == 33, -x, x)
   expect z[4] = where(t != 64, 2 * x, x)
   expect z[5] = cumsum(x)
*/
/* In blocks of several rows those of the first write. */
extern "C" __global__ void sides(int *y, const int *x)
{
    __shared__ int s[1024];
    int t = threadIdx.x, n = blockDim.x;
    bool first = threadIdx.y == 0;
    if (first)
        s[t] = x[t];
    __syncthreads();
    if (first && t < 32 && t + 32 < n)
        s[t] += s[t + 32];
    __syncthreads();
    if (first)
        y[t] = s[t];
    __syncthreads();
    s[t] = x[t];
    __syncthreads();
    int other = t >= 40 ? s[t - 40] : 0;
    __syncthreads();
    if (first)
        s[t] += other;
    __syncthreads();
    y[n + t] = s[t];
    __syncthreads();
    s[t] = x[t];
    __syncthreads();
    if (t > 63)
        other = s[t - 64];
    else
        other = 0;
    __syncthreads();
    if (first)
        s[t] += other;
    __syncthreads();
    y[2 * n + t] = s[t];
    __syncthreads();
    s[t] = x[t];
    __syncthreads();
    if (t == 33 && first)
        s[t] = -s[t];
    __syncthreads();
    y[3 * n + t] = s[t];
    __syncthreads();
    s[t] = x[t];
    __syncthreads();
    if (t != 64 && first)
        s[t] *= 2;
    __syncthreads();
    y[4 * n + t] = s[t];
    __syncthreads();
    s[t] = x[t];
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
        int before = t >= d ? s[t - d] : 0;
        __syncthreads();
        if (first)
            s[t] += before;
        __syncthreads();
    }
    y[5 * n + t] = s[t];
}

/* Of one row: passes are fused and go on by themselves. */
extern "C" __global__ void row(int *y, const int *x)
{
    __shared__ int s[1024];
    int t = threadIdx.x, n = blockDim.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 32 && t + 32 < n)
        s[t] += s[t + 32];
    __syncthreads();
    y[t] = s[t];
    __syncthreads();
    s[t] = x[t];
    __syncthreads();
    int other = t >= 40 ? s[t - 40] : 0;
    __syncthreads();
    s[t] += other;
    __syncthreads();
    y[n + t] = s[t];
    __syncthreads();
    s[t] = x[t];
    __syncthreads();
    if (t > 63)
        other = s[t - 64];
    else
        other = 0;
    __syncthreads();
    s[t] += other;
    __syncthreads();
    y[2 * n + t] = s[t];
    __syncthreads();
    s[t] = x[t];
    __syncthreads();
    if (t == 33)
        s[t] = -s[t];
    __syncthreads();
    y[3 * n + t] = s[t];
    __syncthreads();
    s[t] = x[t];
    __syncthreads();
    if (t != 64)
        s[t] *= 2;
    __syncthreads();
    y[4 * n + t] = s[t];
    __syncthreads();
    s[t] = x[t];
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
        int before = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += before;
        __syncthreads();
    }
    y[5 * n + t] = s[t];
}
