/* One of two arrays, the shorter of which is too short for some threads.

   block  16
   in     a = ones(16, i4)
   in     b = 2 * ones(16 if right else 12, i4)
   out    y = empty(16, i4)
   call   f(a, b, y)
   expect y = 1 + arange(16) % 2
   report memory read: thread[0] in (13, 15) and offset == 4 * thread[0] and size == 48
*/
extern "C" __global__ void f(const int *a, const int *b, int *y)
{
    int t = threadIdx.x;
    const int *p = t % 2 ? b : a;
    y[t] = p[t]; // FAULT
}
