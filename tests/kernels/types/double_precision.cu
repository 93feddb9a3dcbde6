/* Double arithmetic that must not be done in float, float arithmetic that must not be done in
   double: literals with and without f.

   let    n = 300
   in     x = floats(n)
   out    y = empty((n, 3), f8)
   call   literals(x, y, n)
   near   1e-15 y = stack([x.astype(f8) * 0.1, (x * f4(0.1)).astype(f8), (x + f4(1) / f4(3)).astype(f8)], 1)
*/
extern "C" __global__ void literals(const float *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[3 * i] = x[i] * 0.1;
    y[3 * i + 1] = x[i] * 0.1f;
    y[3 * i + 2] = x[i] + 1.0f / 3.0f;
}
