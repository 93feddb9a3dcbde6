/* __syncwarp of all lanes in a branch, while the others are at a vote.

   block  32
   out    y = empty(32, i4)
   call   f(y)
   expect y = 31 - arange(32)
   report sync
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = t;
#ifndef RIGHT
    if (t < 5) {
        __syncwarp(); // FAULT
        s[t] = t;
    }
#endif
    int some = __any_sync(0xffffffff, s[t] > 40); // FAULT
    __syncwarp(); // FAULT
    y[t] = s[31 - t] + some;
}
