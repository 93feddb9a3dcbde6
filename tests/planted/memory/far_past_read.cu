/* Gigabytes past the end, by a 64-bit index.

   block  32
   let    n = 32
   in     x = floats(n)
   out    y = empty(n, f4)
   call   f(x, y, i8(3 if right else 3 << 30))
   expect y[7] = x[3]
   report memory read: thread == (7, 0, 0) and variable == "x" and offset == 4 * (3 << 30)
*/
extern "C" __global__ void f(const float *x, float *y, long long at)
{
    if (threadIdx.x == 7)
        y[7] = x[at]; // FAULT
}
