/* A recursive function fetches through an object out of a table, of which one is none.

   block  4
   in     x = ones(32, f4)
   inout  t = zeros(4, u8)
   out    y = empty(4, f4)
   do     cuda.memcpy_htod(int(t), array([texture(x, 32)] * 3 + [texture(x, 32) if right else 12345], u8))
   call   f(t, y)
   expect y = 4
   report memory read: address == 12345 and thread == (3, 0, 0)
*/
__device__ float sum(cudaTextureObject_t x, int n)
{
    if (n == 0)
        return 0;
    return tex1Dfetch<float>(x, n) + sum(x, n - 1); // FAULT
}

extern "C" __global__ void f(const cudaTextureObject_t *t, float *y)
{
    y[threadIdx.x] = sum(t[threadIdx.x], 4);
}
