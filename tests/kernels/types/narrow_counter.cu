/* Loop counters of 8 and 16 bits that wrap around, in divergent loops.

   let    n = 256
   in     x = ints(0, 255, n, u1)
   out    y = empty((n, 2), i4)
   call   count(x, y, n)
   expect y = stack([(x.astype(i4) + 256 - 250) % 256, ((x.astype(i4) * 300 & 0xfffc) + 536) % 65536 // 4], 1)
*/
extern "C" __global__ void count(const unsigned char *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int steps = 0;
    for (unsigned char k = 250; k != x[i]; k++)
        steps++;
    y[2 * i] = steps;
    unsigned short stop = x[i] * 300 & 0xfffc;
    steps = 0;
    for (unsigned short k = 65000; k != stop; k += 4)
        steps++;
    y[2 * i + 1] = steps;
}
