/* The last turns of a reduction without __syncwarp, as it was written for old GPUs: volatile, in one warp.

   block  32
   twin   none
   in     x = ints(-9, 9, 64)
   out    y = empty(1, i4)
   call   f(x, y)
   report race: severity == "warning" and space == "shared" and variable == "s"
*/
extern "C" __global__ void f(const int *x, int *y)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = x[t];           // FAULT
    s[t + 32] = x[t + 32]; // FAULT
    s[t] += s[t + 32];     // FAULT
    s[t] += s[t + 16];     // FAULT
    s[t] += s[t + 8];      // FAULT
    s[t] += s[t + 4];      // FAULT
    s[t] += s[t + 2];      // FAULT
    s[t] += s[t + 1];      // FAULT
    if (t == 0)
        *y = s[0];
}
