/* A tree reduction without a barrier between the stores and the first turn.

   block  128
   in     x = ints(-9, 9, 128)
   out    y = empty(1, i4)
   call   f(x, y)
   expect y = x.sum()
   report race: space == "shared" and variable == "s" and thread != other_thread
*/
extern "C" __global__ void f(const int *x, int *y)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = x[t]; // FAULT
#ifdef RIGHT
    __syncthreads();
#endif
    for (int half = 64; half > 0; half /= 2) {
        int v = t < half ? s[t + half] : 0; // OTHER
        __syncthreads();
        if (t < half)
            s[t] += v;
        __syncthreads();
    }
    if (t == 0)
        *y = s[0];
}
