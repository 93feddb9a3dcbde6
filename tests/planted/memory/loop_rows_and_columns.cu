/* Height and width of an image exchanged.

   block  16x16
   let    grid = 1
   let    w = 16
   let    h = 10
   out    y = empty((h, w), u1)
   call   f(y, w, h)
   expect y = 200
   report memory write: bytes == 1 and variable == "y" and offset >= 160
*/
extern "C" __global__ void f(unsigned char *y, int w, int h)
{
#ifdef RIGHT
    if (threadIdx.x < w && threadIdx.y < h)
#else
    if (threadIdx.x < w && threadIdx.y < w)
#endif
        y[threadIdx.y * w + threadIdx.x] = 200; // FAULT
}
