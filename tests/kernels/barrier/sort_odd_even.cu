/* Odd-even transposition sort with an early, uniform exit.

   block  1 2 31 32 33 100
   let    n = 2 * threads - 1
   in     x = ints(-50, 50, n, i2)
   out    y = empty(n, i2)
   let    grid = 1
   call   odd_even(x, y, n)
   expect y = sort(x)
*/
extern "C" __global__ void odd_even(const short *x, short *y, int n)
{
    __shared__ short s[256];
    __shared__ int swaps;
    int t = threadIdx.x;
    for (int k = t; k < n; k += blockDim.x)
        s[k] = x[k];
    int quiet = 0;
    for (int round = 0; quiet < 2; round++) {
        if (t == 0)
            swaps = 0;
        __syncthreads();
        int k = 2 * t + (round & 1);
        if (k + 1 < n && s[k] > s[k + 1]) {
            short v = s[k];
            s[k] = s[k + 1];
            s[k + 1] = v;
            swaps = 1;
        }
        __syncthreads();
        quiet = swaps ? 0 : quiet + 1;
        __syncthreads();
    }
    for (int k = t; k < n; k += blockDim.x)
        y[k] = s[k];
}
