/* Bytes that are written by four threads and read as an int by another.

   block  64
   out    y = empty(16, u4)
   call   f(y)
   expect y = 0x01010101
   report race: space == "shared" and variable == "s"
*/
extern "C" __global__ void f(unsigned *y)
{
    __shared__ __align__(4) unsigned char s[64];
    int t = threadIdx.x;
    s[t] = 1; // FAULT
#ifdef RIGHT
    __syncthreads();
#endif
    if (t < 16)
        y[t] = ((unsigned *)s)[t]; // OTHER
}
