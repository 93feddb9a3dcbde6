/* Reads and writes from the far end: negative strides, with all threads and with some.

   vary   n = 1000, 1
   in     x = ints(-99, 99, n, i2)
   out    y = empty(n, i2)
   call   read(x, y, n)
   expect y = x[::-1]
   out    z = empty(n, i2)
   call   write(x, z, n)
   expect z = x[::-1]
   inout  odd = zeros(n, i2)
   call   write_odd(x, odd, n)
   expect odd = where(x & 1, x, 0)[::-1]
*/
extern "C" __global__ void read(const short *x, short *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[n - 1 - i];
}

extern "C" __global__ void write(const short *x, short *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[n - 1 - i] = x[i];
}

extern "C" __global__ void write_odd(const short *x, short *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] & 1)
        y[n - 1 - i] = x[i];
}
