/* Neighbouring threads store neighbouring bytes, every third one only.

   let    n = 1000
   inout  y = ints(0, 255, n, u1)
   call   mark(y, n)
   expect y = where(arange(n) % 3 == 1, arange(n) % 256, y)
*/
extern "C" __global__ void mark(unsigned char *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 3 == 1)
        y[i] = i;
}
