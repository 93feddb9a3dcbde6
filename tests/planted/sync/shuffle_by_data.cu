/* A shuffle whose mask comes from data and lacks the caller.

   block  32
   in     mask = array([0xffffffff if right else 0xfffffffe], u4)
   out    y = empty(32, i4)
   call   f(mask, y)
   expect y = 1
   report sync: thread == (0, 0, 0)
*/
extern "C" __global__ void f(const unsigned *mask, int *y)
{
    int t = threadIdx.x;
    y[t] = __shfl_sync(mask[0], t, 1); // FAULT
}
