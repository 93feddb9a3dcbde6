/* A pointer in memory to an array that is freed.

   block  1
   let    grid = 1
   let    n = 1000
   inout  a = ones(n, i4)
   inout  rows = zeros(1, u8)
   out    y = empty(1, i4)
   do     cuda.memcpy_htod(rows, array([a], u8))
   do     None if right else free(a)
   call   f(rows, y)
   expect y = 1
   report memory read: bytes == 4 and state == "freed"
*/
extern "C" __global__ void f(int **rows, int *y)
{
    *y = rows[0][3]; // FAULT
}
