/* A Haar wavelet transform of a row in each block, halving the working threads each level.

   block  1 2 32 128 512
   let    n = 2 * threads
   let    grid = 3
   in     x = ints(-512, 512, (3, n)) * 1024
   out    y = empty((3, n), i4)
   def    f(v):
              r = []
              while v.shape[1] > 1:
                  r.insert(0, (v[:, ::2] - v[:, 1::2]) // 2)
                  v = (v[:, ::2] + v[:, 1::2]) // 2
              return concatenate([v] + r, 1)
   call   haar[None, None, 4 * n](x, y, n)
   expect y = f(x)
*/
extern "C" __global__ void haar(const int *x, int *y, int n)
{
    extern __shared__ int s[];
    int t = threadIdx.x;
    x += blockIdx.x * n;
    y += blockIdx.x * n;
    s[t] = x[t];
    s[t + n / 2] = x[t + n / 2];
    for (int half = n / 2; half > 0; half /= 2) {
        __syncthreads();
        int a = 0, b = 0;
        if (t < half) {
            a = s[2 * t];
            b = s[2 * t + 1];
        }
        __syncthreads();
        if (t < half) {
            s[t] = (a + b) >> 1;
            y[half + t] = (a - b) >> 1;
        }
    }
    if (t == 0)
        y[0] = s[0];
}
