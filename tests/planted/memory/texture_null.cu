/* A fetch through an object that nobody made.

   block  32
   in     x = ones(32, f4)
   out    y = empty(32, f4)
   call   f(texture(x, 32) if right else u8(0), y)
   expect y = 1
   report memory read: address == 0 and thread == (0, 0, 0)
*/
extern "C" __global__ void f(cudaTextureObject_t x, float *y)
{
    y[threadIdx.x] = tex1Dfetch<float>(x, threadIdx.x); // FAULT
}
