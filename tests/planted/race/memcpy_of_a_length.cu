/* Rows of a length known at run time alone are copied before their writers are waited for.

   block  32
   in     y = zeros((32, 8), i4)
   call   f(y, 20)
   expect y = where(arange(8) < 5, 31 - arange(32)[:, None], 0)
   report race: space == "shared" and variable == "s" and bytes == 20
*/
extern "C" __global__ void f(int *y, int bytes)
{
    __shared__ int s[32][8];
    int t = threadIdx.x;
    for (int k = 0; k < 8; k++)
        s[t][k] = t; // FAULT
#ifdef RIGHT
    __syncthreads();
#endif
    memcpy(y + 8 * t, s[31 - t], bytes); // OTHER
}
