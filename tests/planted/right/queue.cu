/* Work items from a counter, results by their number, and a result list with a counter of its own.

   block  32
   let    grid = 3
   let    n = 500
   in     x = ints(0, 99, n)
   inout  heads = zeros(2, i4)
   out    y = empty(n, i4)
   out    found = empty(n, i4)
   call   f(x, heads, y, found, n)
   expect y = x * x
   expect sort(found[:heads[1]]) = flatnonzero(x > 50)
*/
extern "C" __global__ void f(const int *x, int *heads, int *y, int *found, int n)
{
    for (;;) {
        int i = atomicAdd(&heads[0], 1);
        if (i >= n)
            break;
        y[i] = x[i] * x[i];
        if (x[i] > 50)
            found[atomicAdd(&heads[1], 1)] = i;
    }
}
