/* Indices of 16 bits that wrap around among neighbouring threads.

   let    n = 300
   vary   d = 32600, 65500, 7
   let    first = (d + arange(n)) & 0xffff
   let    second = first ^ 0x8000
   in     x = ints(0, 10**9, 65536)
   out    y = empty((n, 3), i4)
   inout  z = zeros(65536, i4)
   call   wrapped(x, y, z, d, n)
   expect y = stack([x[second], x[first], x[(first + 3) & 0xffff]], 1)
   expect z[second] = arange(n)
   expect z.sum() = arange(n).sum()
*/
extern "C" __global__ void wrapped(const int *x, int *y, int *z, int d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int *middle = x + 32768;
    y[3 * i] = middle[(short)(i + d)];
    unsigned short k = i + d;
    y[3 * i + 1] = x[k];
    for (int step = 0; step < 3; step++)
        k++;
    y[3 * i + 2] = x[k];
    (z + 32768)[(short)(i + d)] = i;
}
