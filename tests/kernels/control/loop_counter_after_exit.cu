/* The counter is the same in all threads until some leave; each must keep the value it left with.

   let    n = 1000
   in     x = ints(0, 99, n)
   out    y = empty(n, i4)
   out    z = empty(n, i4)
   call   leave(x, y, z, n)
   expect y = minimum(x, 64)
   expect z = minimum(x, 64) * 10 + where(x < 64, 1, 2)
*/
extern "C" __global__ void leave(const int *x, int *y, int *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int k, why = 2;
    for (k = 0; k < 64; k++) {
        if (k == x[i]) {
            why = 1;
            break;
        }
    }
    y[i] = k;
    z[i] = k * 10 + why;
}
