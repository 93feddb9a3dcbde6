/* Two buffers that change roles, but the barrier of each turn is missing.

   block  64
   out    y = empty(64, i4)
   call   f(y)
   expect y = (arange(64) + 4) % 64
   report race: space == "shared" and variable == "s"
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int s[2][64];
    int t = threadIdx.x;
    s[0][t] = t;
    __syncthreads();
    for (int turn = 0; turn < 4; turn++) {
        int from = turn % 2;
        s[1 - from][t] = s[from][(t + 1) % 64]; // FAULT
#ifdef RIGHT
        __syncthreads();
#endif
    }
    __syncthreads();
    y[t] = s[0][t];
}
