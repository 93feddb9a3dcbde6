/* Bit-fields, signed and unsigned, in local variables and in memory.

   let    n = 300
   in     x = ints(0, 2**32 - 1, n, u4)
   inout  p = ints(0, 2**32 - 1, n, u4)
   out    y = empty((n, 3), i4)
   let    s = (x >> u4(5) & u4(127)).astype(i4)
   call   fields(x, p, y, n)
   expect y = stack([x & u4(31), where(s > 63, s - 128, s), x >> u4(12)], 1)
   expect p = (p & ~u4(127 << 5)) | (x & u4(127)) << u4(5)
*/
struct packed {
    unsigned low : 5;
    int middle : 7;
    unsigned high : 20;
};

extern "C" __global__ void fields(const unsigned *x, packed *p, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    packed v;
    v.low = x[i];
    v.middle = x[i] >> 5;
    v.high = x[i] >> 12;
    y[3 * i] = v.low;
    y[3 * i + 1] = v.middle;
    y[3 * i + 2] = v.high;
    p[i].middle = x[i] & 127;
}
