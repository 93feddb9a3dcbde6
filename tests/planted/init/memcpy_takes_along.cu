/* What is copied within a kernel is no more written than it was.

   block  4
   out    x = empty((4, 12), i4)
   out    y = empty((4, 12), i4)
   out    z = empty(4, i4)
   do     cuda.memset_d2d32(int(x), 48, 5, 12 if right else 11, 4)
   call   f(x, y, z)
   expect z = 5
   report init read: variable == "y" and bytes == 4
*/
struct row {
    int x[12];
};

extern "C" __global__ void f(const row *x, row *y, int *z)
{
    int t = threadIdx.x;
    memcpy(y + t, x + t, sizeof(row));
    z[t] = y[t].x[11]; // FAULT
}
