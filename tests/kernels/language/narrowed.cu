/* Numbers in braces are converted as others are, whatever their type holds, as by nvcc.

   nvcc
   block  33
   let    n = 33
   in     x = floats(n, f8, -9, 9)
   out    y = empty((n, 3), f4)
   out    z = empty((n, 2), u4)
   call   f(x, y, z, n)
   expect y = stack([arange(n), x, -x], 1).astype(f4)
   expect z = stack([wrap(x.astype(i8), u4), full(n, 2**32 - 5)], 1)
*/
extern "C" __global__ void f(const double *x, float *y, unsigned *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    constexpr unsigned least{-5};
    const unsigned words[2] = {(int)x[i], least};
    float number{i};
    float2 both{x[i], -x[i]};
    y[3 * i] = number, y[3 * i + 1] = both.x, y[3 * i + 2] = both.y;
    z[2 * i] = words[0], z[2 * i + 1] = words[1];
}
