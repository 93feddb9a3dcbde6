/* Rows with room behind them: the copy fills the rows, the kernel reads the room, too.

   block  16
   let    rows = ones((4, 12), f4)
   out    x = empty((4, 16), f4)
   out    y = empty((4, 16), f4)
   do     [cuda.memcpy_htod(int(x) + 64 * r, rows[r]) for r in range(4)]
   do     [cuda.memset_d32(int(x) + 64 * r + 48, 0, 4) for r in range(4 * right)]
   call   f[4](x, y)
   expect y[:, :12] = 1
   report init read: thread[0] >= 12 and variable == "x" and offset % 64 >= 48
*/
extern "C" __global__ void f(const float *x, float *y)
{
    int i = blockIdx.x * 16 + threadIdx.x;
    y[i] = x[i]; // FAULT
}
