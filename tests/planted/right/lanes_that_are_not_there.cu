/* A shuffle of all lanes in a block of less than a warp; nobody asks for a value of lanes that are not there.

   block  24
   out    y = empty(24, i4)
   call   f(y)
   expect y = arange(24) ^ 1
*/
extern "C" __global__ void f(int *y)
{
    int t = threadIdx.x;
    y[t] = __shfl_xor_sync(0xffffffff, t, 1);
}
