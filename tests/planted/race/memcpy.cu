/* memcpy of a row that another thread writes.

   block  64
   out    y = empty((64, 4), i4)
   call   f(y)
   expect y = repeat(63 - arange(64), 4).reshape(64, 4)
   report race: space == "shared" and variable == "s"
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int s[64][4];
    int t = threadIdx.x;
    for (int k = 0; k < 4; k++)
        s[t][k] = t; // FAULT
#ifdef RIGHT
    __syncthreads();
#endif
    memcpy(y + 4 * t, s[63 - t], 16); // OTHER
}
