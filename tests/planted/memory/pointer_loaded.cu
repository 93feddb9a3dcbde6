/* A row of a table of pointers, one element too long.

   block  1x4
   let    grid = 1
   let    n = 10
   out    a = empty(n, i4)
   out    b = empty(n, i4)
   inout  rows = zeros(2, u8)
   do     cuda.memcpy_htod(rows, array([a, b], u8))
   call   f(rows, 1, n if right else n + 1)
   expect b = 5
   report memory write: bytes == 4 and offset == 40 and size == 40
*/
extern "C" __global__ void f(int **rows, int row, int n)
{
    int *p = rows[row];
    if (threadIdx.y == 0)
        for (int k = 0; k < n; k++)
            p[k] = 5; // FAULT
}
