/* Local arrays of which each access has the same size, but not a multiple of it as its place.

   let    n = 100
   in     x = ints(-99, 99, (n, 8), i4)
   in     k = ints(0, 7, n, i4)
   out    y = empty((n, 2), i4)
   call   f(x, k, y, n)
   let    i = arange(n)
   expect y = stack([x[i, k] - x[i, (k + 3) % 8], x[i, k] * 2], 1)
*/
struct __attribute__((packed)) Packed {
    char tag;
    int value;
};

struct __attribute__((packed)) Row {
    char tag;
    int value[8];
};

extern "C" __global__ void f(const int *x, const int *k, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Packed p[8];
    Row row;
    for (int j = 0; j < 8; j++) {
        p[j].value = x[8 * i + j];
        row.value[j] = 2 * x[8 * i + j];
    }
    y[2 * i] = p[k[i]].value - p[(k[i] + 3) % 8].value;
    y[2 * i + 1] = row.value[k[i]];
}
