/* Neighbouring bytes, each read by another thread than it is written by.

   block  96
   out    y = empty(96, u1)
   call   f(y)
   expect y = (arange(96) + 1) % 96
   report race: space == "shared" and variable == "s" and bytes == 1
*/
extern "C" __global__ void f(unsigned char *y)
{
    __shared__ unsigned char s[96];
    int t = threadIdx.x;
    s[t] = t; // FAULT
#ifdef RIGHT
    __syncthreads();
#endif
    y[t] = s[(t + 1) % 96]; // OTHER
}
