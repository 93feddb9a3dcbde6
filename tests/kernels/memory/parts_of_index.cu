/* Threads in groups: what of a thread's number is the same in a group, counted in groups whose size is a power of two
   or not, and numbers with bits set, cleared or cut off.

   block  1 96 192 256
   let    n = 1000
   let    t = arange(n) % threads
   in     x = ints(-99, 99, 2000)
   out    y = empty((n, 7), i4)
   call   f(x, y, n)
   expect y = stack([x[t // 48], x[t // 96 + t % 96], x[t | 512], x[t & 31], x[t & 0x3f0], x[t & 7], (t < 64) + 2 * (t // 48 == 1)], 1)
*/
extern "C" __global__ void f(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned t = threadIdx.x;
    if (i >= n)
        return;
    y[7 * i] = x[t / 48];
    y[7 * i + 1] = x[t / 96 + t % 96];
    y[7 * i + 2] = x[t | 512];
    y[7 * i + 3] = x[t & 31];
    y[7 * i + 4] = x[t & 0x3f0];
    y[7 * i + 5] = x[t & 7];
    y[7 * i + 6] = (t < 64) + 2 * (t / 48 == 1);
}
