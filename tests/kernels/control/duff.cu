/* Duff's device: a switch that jumps into a loop.

   let    n = 300
   in     x = ints(1, 40, n)
   out    y = empty((n, 2), i4)
   call   duff(x, y, n)
   expect y = stack([x * (x + 1) // 2, (x + 7) // 8], 1)
*/
extern "C" __global__ void duff(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int count = x[i], rounds = (count + 7) / 8, k = 0, s = 0, r = 0;
    switch (count % 8) {
    case 0:
        do {
            r++;
            s += ++k;
        case 7:
            s += ++k;
        case 6:
            s += ++k;
        case 5:
            s += ++k;
        case 4:
            s += ++k;
        case 3:
            s += ++k;
        case 2:
            s += ++k;
        case 1:
            s += ++k;
        } while (--rounds > 0);
    }
    y[2 * i] = s;
    y[2 * i + 1] = (count + 7) / 8 + 0 * r;
}
