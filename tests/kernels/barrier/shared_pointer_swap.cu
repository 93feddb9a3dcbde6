/* Two shared buffers that change roles each round through swapped pointers.

   block  1 2 31 32 33 256
   let    n = threads
   in     x = ints(-9, 9, n)
   out    y = empty(n, i4)
   let    grid = 1
   def    f(v):
              v = v.astype(i4)
              for k in range(5): v = v + roll(v, -(k + 1) % n)
              return v
   call   rounds(x, y, 5)
   expect y = f(x)
*/
extern "C" __global__ void rounds(const int *x, int *y, int count)
{
    __shared__ int p[256], q[256];
    int t = threadIdx.x, n = blockDim.x;
    int *from = p, *to = q;
    from[t] = x[t];
    __syncthreads();
    for (int k = 1; k <= count; k++) {
        to[t] = from[t] + from[(t + k) % n];
        int *old = from;
        from = to;
        to = old;
        __syncthreads();
    }
    y[t] = from[t];
}
