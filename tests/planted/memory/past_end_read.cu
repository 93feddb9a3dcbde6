/* The right neighbour of the last element.

   block  64
   let    n = 64
   in     x = ints(-99, 99, n + right)
   out    y = empty(n, i4)
   call   f(x, y)
   expect y = x[:n] + x[1:]
   report memory read: thread == (63, 0, 0) and bytes == 4 and variable == "x" and offset == 4 * n and space == "global"
*/
extern "C" __global__ void f(const int *x, int *y)
{
    int i = threadIdx.x;
    int here = x[i];
    int next = x[i + 1]; // FAULT
    y[i] = here + next;
}
