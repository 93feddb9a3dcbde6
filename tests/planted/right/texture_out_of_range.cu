/* Fetches outside of a texture in linear memory are zero, by the guide, and no error.

   block  32
   in     x = ones(16, f4)
   out    y = empty(32, f4)
   call   f(texture(x, 16), y)
   expect y = arange(32) < 16
*/
extern "C" __global__ void f(cudaTextureObject_t x, float *y)
{
    y[threadIdx.x] = tex1Dfetch<float>(x, threadIdx.x);
}
