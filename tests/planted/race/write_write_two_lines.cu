/* Two warps write different values to one place, on two lines.

   block  64
   out    y = empty(1, i4)
   call   f(y)
   expect y = 1
   report race: space == "shared" and variable == "s" and {thread, other_thread} == {(0, 0, 0), (40, 0, 0)}
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int s[2];
    int t = threadIdx.x;
    if (t == 0)
        s[1] = 1; // FAULT
    if (t == 40)
#ifdef RIGHT
        s[0] = 2;
#else
        s[1] = 2; // OTHER
#endif
    __syncthreads();
    if (t == 0)
        *y = s[1];
}
