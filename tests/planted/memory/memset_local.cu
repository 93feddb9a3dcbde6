/* memset of a local array, of a length known at run time alone.

   block  32
   out    y = empty(32, i4)
   call   f(y, 16 if right else 20)
   expect y = 0
   report memory write: space == "local" and variable == "a"
*/
extern "C" __global__ void f(int *y, int bytes)
{
    int a[4];
    memset(a, 0, bytes); // FAULT
    y[threadIdx.x] = a[threadIdx.x & 3];
}
