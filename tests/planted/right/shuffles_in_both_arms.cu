/* Both halves of a warp shuffle with all lanes, each in its arm of a branch, as Volta and later GPUs allow.

   block  32
   out    y = empty(32, i4)
   call   f(y)
   expect y = (arange(32) + 16) % 32
*/
extern "C" __global__ void f(int *y)
{
    int t = threadIdx.x, v;
    if (t < 16)
        v = __shfl_xor_sync(0xffffffff, t, 16);
    else
        v = __shfl_xor_sync(0xffffffff, t, 16);
    y[t] = v;
}
