/* A chain of else-ifs: each arm assigns, one assigns nothing, one reads what another wrote.

   let    n = 777
   in     x = ints(-20, 20, n)
   out    y = empty(n, i4)
   call   chain(x, y, n)
   expect y = select([x < -10, x < 0, x == 0, x < 5, x < 15], [-x, x * 3, 100, -1, x + 1000], x - 7)
*/
extern "C" __global__ void chain(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = x[i], r = -1;
    if (v < -10)
        r = -v;
    else if (v < 0)
        r = v * 3;
    else if (v == 0)
        r = 100;
    else if (v < 5)
        ;
    else if (v < 15) {
        r = v;
        r += 1000;
    } else
        r = v - 7;
    y[i] = r;
}
