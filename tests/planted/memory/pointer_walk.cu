/* A walk to an end mark that is not there.

   block  1
   in     x = concatenate([ones(20, i4), zeros(int(right), i4)])
   out    y = empty(1, i4)
   call   f(x, y)
   expect y = 20
   report memory read: variable == "x" and offset == 80
*/
extern "C" __global__ void f(const int *x, int *y)
{
    int n = 0;
    while (*x++) // FAULT
        n++;
    *y = n;
}
