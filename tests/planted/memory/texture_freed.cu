/* A fetch from memory that was freed since it was made a texture.

   block  32
   in     x = ones(32, f4)
   in     z = ones(32, f4)
   out    y = empty(32, f4)
   let    objects = []
   do     objects.append(texture(x, 32))
   do     free(z if right else x)
   call   f(objects[0], y)
   expect y = 1
   report memory read: state == "freed"
*/
extern "C" __global__ void f(cudaTextureObject_t x, float *y)
{
    y[threadIdx.x] = tex1Dfetch<float>(x, threadIdx.x); // FAULT
}
