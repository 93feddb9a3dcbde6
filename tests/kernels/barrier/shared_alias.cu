/* Shared memory seen under two types at once: a union, and a pointer cast.

   block  1 32 64 256
   let    n = threads
   in     x = ints(0, 2**32 - 1, n, u4)
   out    y = empty(n, u4)
   let    grid = 1
   call   views(x, y)
   expect y = ascontiguousarray(x[::-1]).view(u1).reshape(n, 4).astype(u4).sum(1) + (x >> u4(16))
*/
union cell {
    unsigned all;
    unsigned char byte[4];
};

extern "C" __global__ void views(const unsigned *x, unsigned *y)
{
    __shared__ cell s[256];
    int t = threadIdx.x, r = blockDim.x - 1 - t;
    s[t].all = x[t];
    __syncthreads();
    unsigned sum = 0;
    for (int k = 0; k < 4; k++)
        sum += s[r].byte[k];
    unsigned short *half = (unsigned short *)s;
    y[t] = sum + half[2 * t + 1];
}
