/* A read of a row that a surface does not have.

   block  8x5
   out    y = empty(40, i4)
   call   f(surface(8, 5 if right else 4), y)
   expect y = 0
   report memory read: bytes == 4 and thread[1] == 4
*/
extern "C" __global__ void f(cudaSurfaceObject_t s, int *y)
{
    int x = threadIdx.x, z = threadIdx.y;
    y[8 * z + x] = surf2Dread<int>(s, x * 4, z); // FAULT
}
