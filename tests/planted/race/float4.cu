/* Vectors are written whole, and a part of the neighbour's is read without a barrier.

   block  64
   out    y = empty(64, f4)
   call   f(y)
   expect y = (arange(64) + 1) % 64
   report race: space == "shared" and variable == "s"
*/
extern "C" __global__ void f(float *y)
{
    __shared__ float4 s[64];
    int t = threadIdx.x;
    s[t] = make_float4(0, t, 0, 0); // FAULT
#ifdef RIGHT
    __syncthreads();
#endif
    y[t] = s[(t + 1) % 64].y; // OTHER
}
