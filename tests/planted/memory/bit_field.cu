/* A bit field behind the last structure.

   block  32
   in     x = zeros(32, u4)
   inout  y = zeros(32, u4)
   call   f(y)
   expect y[:31] = 5 << 3
   report memory: bytes == 4 and offset == 128 and thread == (31, 0, 0)
*/
struct packed {
    unsigned low : 3, middle : 20, high : 9;
};

extern "C" __global__ void f(packed *y)
{
#ifdef RIGHT
    int i = threadIdx.x;
#else
    int i = threadIdx.x + 1;
#endif
    y[i].middle = 5; // FAULT
}
