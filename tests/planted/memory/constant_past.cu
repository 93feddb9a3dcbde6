/* Behind the last element of a table in constant memory.

   block  17
   global table = ints(0, 99, 16)
   out    y = empty(17, i4)
   call   f(y)
   expect y[:16] = table
   report memory read: thread == (16, 0, 0) and variable == "table" and space == "constant" and size == 64 and offset == 64
*/
__constant__ int table[16];

extern "C" __global__ void f(int *y)
{
    int t = threadIdx.x;
#ifdef RIGHT
    if (t < 16)
#endif
        y[t] = table[t]; // FAULT
}
