/* The third of five arrays is the short one.

   block  16
   in     a = ones(16, i4)
   in     b = ones(16, i4)
   in     c = ones(16 if right else 15, i4)
   in     d = ones(16, i4)
   out    y = empty(16, i4)
   call   f(a, b, c, d, y)
   expect y = 4
   report memory read: variable == "c" and offset == 60 and thread == (15, 0, 0)
*/
extern "C" __global__ void f(const int *a, const int *b, const int *c, const int *d, int *y)
{
    int i = threadIdx.x;
    int v = a[i] + b[i];
    v += c[i]; // FAULT
    y[i] = v + d[i];
}
