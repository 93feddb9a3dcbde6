/* Rows are found in a table of pointers, two of which lead to one row.

   block  16
   let    grid = 4
   out    a = empty(16, i4)
   out    b = empty(16, i4)
   out    c = empty(16, i4)
   out    d = empty(16, i4)
   inout  row = zeros(4, u8)
   do     cuda.memcpy_htod(int(row), array([a, b, a if not right else c, d], u8))
   call   f(row)
   expect d = 3
   report race: space == "global" and {block[0], other_block[0]} == {0, 2}
*/
extern "C" __global__ void f(int **row)
{
    row[blockIdx.x][threadIdx.x] = blockIdx.x; // FAULT
}
