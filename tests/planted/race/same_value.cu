/* All threads write the same value to one place.

   block  64
   out    y = empty(1, i4)
   in     x = arange(64, dtype=i4)
   call   f(x, y)
   expect y = 1
   report race: severity == "warning" and space == "shared" and variable == "found"
*/
extern "C" __global__ void f(const int *x, int *y)
{
    __shared__ int found;
    int t = threadIdx.x;
    if (t == 0)
        found = 0;
    __syncthreads();
#ifdef RIGHT
    if (x[t] == 17)
#else
    if (x[t] > 17)
#endif
        found = 1; // FAULT
    __syncthreads();
    if (t == 0)
        *y = found;
}
