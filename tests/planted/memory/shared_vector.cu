/* The last float4 of a shared array lies half outside.

   block  4
   out    y = empty(14, f4)
   call   f(y)
   expect y[:12] = 3
   report memory write: thread == (3, 0, 0) and space == "shared" and variable == "s" and 48 <= offset < 64
*/
extern "C" __global__ void f(float *y)
{
    __shared__ __align__(16) float s[14];
    int t = threadIdx.x;
#ifdef RIGHT
    if (t < 3)
#endif
        ((float4 *)s)[t] = make_float4(3, 3, 3, 3); // FAULT
    __syncthreads();
    for (int k = t; k < 12; k += 4)
        y[k] = s[k];
}
