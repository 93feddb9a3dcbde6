/* A fetch through an object that was destroyed, by every other thread.

   block  32
   in     x = ones(32, f4)
   inout  y = zeros(32, f4)
   call   f(texture(x, 32) if right else ended(texture(x, 32)), y)
   expect y = arange(32) % 2
   report memory read: thread == (1, 0, 0)
*/
extern "C" __global__ void f(cudaTextureObject_t x, float *y)
{
    y[threadIdx.x] = 0;
    if (threadIdx.x & 1)
        tex1Dfetch<float>(&y[threadIdx.x], x, threadIdx.x); // FAULT
}
