/* The first and the last byte of arrays whose sizes are odd.

   block  1
   let    grid = 1
   vary   n = 1, 3, 255, 257, 4097, 65537
   inout  x = zeros(n, u1)
   call   f(x, n)
   expect x[[0, -1]] = 1
*/
extern "C" __global__ void f(unsigned char *x, int n)
{
    x[0] = 1;
    x[n - 1] = 1;
}
