/* The address of an array in the program's own memory.

   block  8
   let    mine = ones(8, f4)
   out    y = empty(8, f4)
   in     x = ones(8, f4)
   call   f(x if right else u8(mine.ctypes.data), y)
   expect y = 1
   report memory read: bytes == 4
*/
extern "C" __global__ void f(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x]; // FAULT
}
