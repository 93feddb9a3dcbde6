/* A vote whose mask is another in the two halves of the warp, and one names the lanes of the other.

   block  32
   in     x = arange(32, dtype=i4)
   out    y = empty(32, i4)
   call   f(x, y)
   expect y = 1
   report sync
*/
extern "C" __global__ void f(const int *x, int *y)
{
    int t = threadIdx.x;
#ifdef RIGHT
    unsigned mask = t < 16 ? 0x0000ffff : 0xffff0000;
#else
    unsigned mask = t < 16 ? 0x0000ffff : 0xffffffff;
#endif
    y[t] = __any_sync(mask, x[t] == (t < 16 ? 3 : 17)); // FAULT
}
