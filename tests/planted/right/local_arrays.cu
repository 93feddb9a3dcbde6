/* Arrays of the thread's own, indexed by data.

   block  32
   in     x = ints(0, 7, (32, 8))
   out    y = empty((32, 8), i4)
   call   f(x, y)
   expect y = [bincount(r, minlength=8) for r in x]
*/
extern "C" __global__ void f(const int *x, int *y)
{
    int count[8] = {};
    for (int k = 0; k < 8; k++)
        count[x[8 * threadIdx.x + k]]++;
    for (int k = 0; k < 8; k++)
        y[8 * threadIdx.x + k] = count[k];
}
