/* Barriers in branches and loops that all threads of the block take.

   block  64
   vary   m = 0, 3
   out    y = empty(64, i4)
   call   f(y, m)
   expect y = m * 63 if m else arange(64)
*/
extern "C" __global__ void f(int *y, int m)
{
    __shared__ int s[64];
    int t = threadIdx.x, v = t;
    if (m > 0) {
        v = 0;
        for (int k = 0; k < m; k++) {
            s[t] = t;
            __syncthreads();
            v += s[63];
            __syncthreads();
        }
    }
    y[t] = v;
}
