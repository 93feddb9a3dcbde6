/* __syncthreads_count, _and, _or: in a loop, with threads that have already returned.

   block  1 31 32 33 256 1024
   vary   grid = 1, 3
   let    n = threads * grid
   in     x = ints(0, 12, n)
   inout  y = full((n, 3), -1, i4)
   let    b = x.reshape(grid, threads)
   let    count = (b > 4).sum(1, keepdims=True)
   let    live = b < 12
   let    every = ((b < 11) | ~live).all(1, keepdims=True) + zeros_like(b)
   let    some = ((b == 3) & live).any(1, keepdims=True) + zeros_like(b)
   call   vote(x, y)
   expect y = where(live[..., None], stack([count + 0 * b, every, some], -1), -1).reshape(n, 3)
*/
extern "C" __global__ void vote(const int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i];
    int count = __syncthreads_count(v > 4);
    if (v == 12)
        return;
    int every = __syncthreads_and(v < 11) != 0;
    y[3 * i] = count;
    y[3 * i + 1] = every;
    y[3 * i + 2] = __syncthreads_or(v == 3) != 0;
}
