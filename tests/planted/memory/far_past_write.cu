/* A million elements past the end, by one thread.

   block  128
   let    n = 128
   let    at = 5 if right else 1000005
   out    y = empty(n, f4)
   call   f(y, at)
   expect y[5] = 1
   report memory write: thread == (5, 0, 0) and variable == "y" and offset == 4 * at
*/
extern "C" __global__ void f(float *y, int at)
{
    if (threadIdx.x == 5)
        y[at] = 1; // FAULT
}
