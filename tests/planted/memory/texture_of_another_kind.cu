/* A fetch through what is a surface object.

   block  16x2
   in     x = ones(32, f4)
   out    y = empty(32, f4)
   call   f(texture(x, 32) if right else surface(16, 2), y)
   expect y = 1
   report memory read
*/
extern "C" __global__ void f(cudaTextureObject_t x, float *y)
{
    int i = threadIdx.x + 16 * threadIdx.y;
    y[i] = tex1Dfetch<float>(x, i); // FAULT
}
