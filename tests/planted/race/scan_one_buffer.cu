/* A scan by Hillis and Steele in one buffer, without the barrier between load and store.

   block  128
   in     x = ints(-9, 9, 128)
   out    y = empty(128, i4)
   call   f(x, y)
   expect y = cumsum(x)
   report race: space == "shared" and variable == "s"
*/
extern "C" __global__ void f(const int *x, int *y)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int by = 1; by < 128; by *= 2) {
        int v = t >= by ? s[t - by] : 0; // FAULT
#ifdef RIGHT
        __syncthreads();
#endif
        s[t] += v; // OTHER
        __syncthreads();
    }
    y[t] = s[t];
}
