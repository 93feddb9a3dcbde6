/* A digit too large for the thread's own table of counts.

   block  32
   in     x = where(arange(32) == 17, 9 if right else 10, arange(32) % 10).astype(i4)
   out    y = empty(32, i4)
   call   f(x, y)
   expect y[17] = 32
   report memory read: thread == (17, 0, 0) and space == "local" and variable == "count" and offset == 40
   report memory read: thread == (17, 0, 0) and space == "local" and variable == "count" and offset == 40
*/
extern "C" __global__ void f(const int *x, int *y)
{
    int count[10];
    for (int k = 0; k < 10; k++)
        count[k] = threadIdx.x + k;
    int digit = x[threadIdx.x];
#ifdef RIGHT
    digit = min(digit, 9);
#endif
    int *where = &count[digit];
    *where = *where * 2 - 20; // FAULT
    int sum = 0;
    for (int k = 0; k < 10; k++)
        sum += k == 9 ? count[k] : 0;
    y[threadIdx.x] = sum;
}
