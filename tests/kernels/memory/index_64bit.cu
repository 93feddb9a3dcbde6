/* Indices computed in 64 bits whose 32-bit halves would be wrong, brought back by a mask.

   let    n = 300
   in     x = ints(-99, 99, 1024)
   out    y = empty(n, i4)
   let    i = arange(n, dtype=u8)
   call   wide(x, y, u8(n))
   expect y = x[(i * u8(0x300000001) >> u8(3)) & u8(1023)] - x[(i * i * i * i * i) >> u8(32) & u8(1023)]
*/
extern "C" __global__ void wide(const int *x, int *y, unsigned long long n)
{
    unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[(i * 0x300000001ull >> 3) & 1023] - x[(i * i * i * i * i) >> 32 & 1023];
}
