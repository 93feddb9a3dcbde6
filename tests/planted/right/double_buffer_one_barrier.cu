/* Two buffers and one barrier in each turn: what a turn overwrites was read before the barrier.

   block  64
   out    y = empty(64, i4)
   call   f(y, 7)
   expect y = (arange(64) + 7) % 64
*/
extern "C" __global__ void f(int *y, int turns)
{
    __shared__ int s[2][64];
    int t = threadIdx.x;
    s[0][t] = t;
    for (int k = 0; k < turns; k++) {
        __syncthreads();
        s[(k + 1) % 2][t] = s[k % 2][(t + 1) % 64];
    }
    __syncthreads();
    y[t] = s[turns % 2][t];
}
