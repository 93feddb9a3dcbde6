/* A write to a surface that nobody made.

   block  8
   call   f(surface(8) if right else u8(0))
   expect True
   report memory: address == 0
*/
extern "C" __global__ void f(cudaSurfaceObject_t s)
{
    surf1Dwrite<int>(1, s, threadIdx.x * 4); // FAULT
}
