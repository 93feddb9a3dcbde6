/* Threads fetch work items from a global counter until none is left; items differ in length.

   block  1 32 33 256
   vary   grid = 1, 3
   let    n = 500
   in     x = ints(1, 5000, n)
   inout  next = zeros(1, i4)
   inout  y = zeros((n, 2), i4)
   call   serve(x, next, y, n)
   expect y = stack([[int(v).bit_length() for v in x], ones(n)], 1)
   expect next = n + threads * grid
*/
extern "C" __global__ void serve(const int *x, int *next, int *y, int n)
{
    for (;;) {
        int item = atomicAdd(next, 1);
        if (item >= n)
            return;
        int v = x[item], bits = 0;
        while (v) {
            v >>= 1;
            bits++;
        }
        y[2 * item] = bits;
        y[2 * item + 1] += 1;
    }
}
