/* The usual tree: grid-stride sum in registers, then halving in shared memory.

   block  1 2 32 64 256 1024
   vary   n = 10000, 1
   vary   grid = 1, 4
   in     x = ints(-999, 999, n)
   out    y = empty(grid, i4)
   let    step = grid * threads
   def    part(b): return sum([x[b * threads + t::step].sum() for t in range(threads)])
   call   tree(x, y, n)
   expect y = [part(b) for b in range(grid)]
*/
extern "C" __global__ void tree(const int *x, int *y, int n)
{
    __shared__ int s[1024];
    int t = threadIdx.x, sum = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        sum += x[i];
    s[t] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}
