/* A double behind one float in shared memory.

   block  1
   out    y = empty(1, f8)
   call   f(y)
   expect y = 2.5
   report memory write: bytes == 8 and space == "shared" and offset == 4
*/
extern "C" __global__ void f(double *y)
{
    __shared__ __align__(8) char room[32];
#ifdef RIGHT
    double *d = (double *)(room + 8);
#else
    double *d = (double *)(room + 4);
#endif
    *(volatile double *)d = 2.5; // FAULT
    *y = *(volatile double *)d;
}
