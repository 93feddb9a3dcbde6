/* A structure passed by value as the first kernel argument.

   let    n = 150
   let    layout = dtype([("scale", f4), ("shift", i4, 2), ("big", f8)], align=True)
   let    s = array((2.5, (3, -4), 1e6), layout)
   in     x = ints(-99, 99, n)
   out    y = empty(n, f8)
   call   apply(s, x, y, n)
   expect y = x * 2.5 + where(x % 2 == 0, 3, -4) + 1e6
*/
struct settings {
    float scale;
    int shift[2];
    double big;
};

extern "C" __global__ void apply(settings s, const int *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * s.scale + s.shift[x[i] & 1] + s.big;
}
