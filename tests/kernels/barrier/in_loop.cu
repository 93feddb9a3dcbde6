/* A barrier in a loop whose trip count is an argument; zero trips too.

   vary   count = 0, 1, 7
   let    n = threads
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   let    grid = 1
   def    f():
              v = x.copy()
              for k in range(count): v = roll(v, -1) * 2 + k & 0xffff
              return v
   call   rounds(x, y, count)
   expect y = f()
*/
extern "C" __global__ void rounds(const int *x, int *y, int count)
{
    __shared__ int s[1024];
    int t = threadIdx.x, v = x[t];
    for (int k = 0; k < count; k++) {
        s[t] = v;
        __syncthreads();
        v = s[(t + 1) % blockDim.x] * 2 + k & 0xffff;
        __syncthreads();
    }
    y[t] = v;
}
