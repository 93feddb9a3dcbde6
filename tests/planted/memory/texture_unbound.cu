/* A fetch through a texture reference to which nothing was bound.

   block  32
   in     x = ones(32, f4)
   out    y = empty(32, f4)
   do     module.get_texref("t").set_address(int(x), 128) if right else None
   do     module.get_function("f").param_set_texref(module.get_texref("t")) if right else None
   call   f(y)
   expect y = 1
   report memory read: address == 0
   host
*/
texture<float> t;

extern "C" __global__ void f(float *y)
{
    y[threadIdx.x] = tex1Dfetch(t, threadIdx.x); // FAULT
}
