/* An array in a struct that is a parameter, read past its end.

   block  8
   out    y = empty(8, i4)
   def    table(): return array(([3, 1, 4, 1],), [("v", i4, 4)])[()]
   call   f(table(), y, 4 if right else 8)
   expect y = [3, 1, 4, 1, 3, 1, 4, 1]
   report memory read: thread[0] >= 4 and bytes == 4
*/
struct table {
    int v[4];
};

extern "C" __global__ void f(table t, int *y, int n)
{
    y[threadIdx.x] = t.v[threadIdx.x % n]; // FAULT
}
