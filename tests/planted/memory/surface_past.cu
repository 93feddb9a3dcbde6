/* A write beside a surface, whose x counts bytes.

   block  8x4
   call   f(surface(8, 4))
   expect True
   report memory write: bytes == 4 and thread == (7, 0, 0)
*/
extern "C" __global__ void f(cudaSurfaceObject_t s)
{
#ifdef RIGHT
    int x = threadIdx.x;
#else
    int x = threadIdx.x + 1;
#endif
    surf2Dwrite<int>(1, s, x * 4, threadIdx.y); // FAULT
}
