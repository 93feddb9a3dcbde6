/* Largest float with its place in one 64-bit atomicMax.

   vary   n = 3000, 1
   in     x = floats(n) + f4(2)
   inout  best = zeros(1, u8)
   call   argmax(x, best, n)
   expect best & u8(0xffffffff) = x.argmax()
   expect (best >> u8(32)).astype(u4).view(f4) = x.max()
*/
extern "C" __global__ void argmax(const float *x, unsigned long long *best, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicMax(best, (unsigned long long)__float_as_uint(x[i]) << 32 | (unsigned)i);
}
