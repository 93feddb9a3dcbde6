/* A bitonic sort without the barrier of its inner loop.

   block  128
   in     x = ints(-999, 999, 128)
   out    y = empty(128, i4)
   call   f(x, y)
   expect y = sort(x)
   report race: space == "shared" and variable == "s"
*/
extern "C" __global__ void f(const int *x, int *y)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int k = 2; k <= 128; k *= 2) {
        for (int j = k / 2; j > 0; j /= 2) {
            int o = t ^ j;
            if (o > t && (s[t] > s[o]) == ((t & k) == 0)) { // FAULT
                int v = s[t]; // FAULT
                s[t] = s[o];  // FAULT
                s[o] = v;     // FAULT
            }
#ifdef RIGHT
            __syncthreads();
#endif
        }
        __syncthreads();
    }
    y[t] = s[t];
}
