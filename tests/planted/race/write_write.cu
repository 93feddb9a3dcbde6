/* All threads of a block write their own number to one place.

   block  64
   out    y = empty(1, i4)
   call   f(y)
   expect y = 0
   report race: space == "shared" and variable == "s" and severity == "error"
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int s;
    int t = threadIdx.x;
#ifdef RIGHT
    if (t == 0)
#endif
        s = t; // FAULT
    __syncthreads();
    if (t == 0)
        *y = s;
}
