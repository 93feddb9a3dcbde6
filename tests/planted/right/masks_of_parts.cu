/* Parts of a warp that wait for their own lanes, in branches of their own.

   block  32
   out    y = empty(32, i4)
   call   f(y)
   expect y = concatenate([arange(8)[::-1], arange(8, 32)[::-1]])
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 8) {
        s[t] = t;
        __syncwarp(0x000000ff);
        y[t] = s[7 - t];
    } else {
        s[t] = t;
        __syncwarp(0xffffff00);
        y[t] = s[39 - t];
    }
}
