/* A row too far in a matrix of the thread's own.

   block  8
   let    row = 3 if right else 4
   out    y = empty(8, f4)
   call   f(y, row)
   expect y = 14 + arange(8)
   report memory read: space == "local" and variable == "m" and size == 64 and offset == 64 + 8
*/
extern "C" __global__ void f(float *y, int row)
{
    float m[4][4];
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++)
            m[r][c] = 4 * r + c + threadIdx.x;
    y[threadIdx.x] = m[row][2]; // FAULT
}
