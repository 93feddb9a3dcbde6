/* A tree reduction without a barrier in its loop.

   block  256
   in     x = ints(-9, 9, 256)
   out    y = empty(1, i4)
   call   f(x, y)
   expect y = x.sum()
   report race: space == "shared" and variable == "s"
*/
extern "C" __global__ void f(const int *x, int *y)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half]; // FAULT
#ifdef RIGHT
        __syncthreads();
#endif
    }
    if (t == 0)
        *y = s[0];
}
