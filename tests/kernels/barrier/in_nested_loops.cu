/* Barriers at two depths of nested loops, with a uniform continue and a uniform break.

   block  1 32 33 64
   let    n = threads
   in     x = ints(0, 99, n)
   out    y = empty(n, i4)
   let    grid = 1
   def    f():
              v = x.astype(i8)
              for j in range(6):
                  if j == 2: continue
                  v = v + roll(v, 1)
                  for k in range(j):
                      if k == 3: break
                      v = (v * 3 + roll(v, -1) + k) % 10007
              return v
   call   nested(x, y, 6)
   expect y = f()
*/
extern "C" __global__ void nested(const int *x, int *y, int rounds)
{
    __shared__ int s[64];
    int t = threadIdx.x, n = blockDim.x, v = x[t];
    for (int j = 0; j < rounds; j++) {
        if (j == 2)
            continue;
        s[t] = v;
        __syncthreads();
        v += s[(t + n - 1) % n];
        __syncthreads();
        for (int k = 0; k < j; k++) {
            if (k == 3)
                break;
            s[t] = v;
            __syncthreads();
            v = (v * 3 + s[(t + 1) % n] + k) % 10007;
            __syncthreads();
        }
    }
    y[t] = v;
}
