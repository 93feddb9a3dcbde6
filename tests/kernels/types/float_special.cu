/* Infinities, NaNs, signed zeros and denormals: comparisons, arithmetic, classification.

   let    values = [0.0, -0.0, 1.0, -1.0, inf, -inf, nan, 1e-40, -1e-40, 3.4e38, 1e-38]
   let    n = 121
   in     a = repeat(array(values, f4), 11)
   in     b = tile(array(values, f4), 11)
   out    y = empty((n, 5), f4)
   out    z = empty(n, i4)
   call   special(a, b, y, z, n)
   expect y = stack([a + b, a - b, a * b, a / b, -a], 1)
   expect z = (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * ~(a > b) + 32 * isnan(a) + 64 * isinf(b) + 128 * isfinite(a) + 256 * (signbit(b) & ~isnan(b))
*/
extern "C" __global__ void special(const float *a, const float *b, float *y, int *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float p = a[i], q = b[i], *r = y + 5 * i;
    r[0] = p + q;
    r[1] = p - q;
    r[2] = p * q;
    r[3] = p / q;
    r[4] = -p;
    z[i] = (p < q) + 2 * (p <= q) + 4 * (p == q) + 8 * (p != q) + 16 * !(p > q) +
           32 * (isnan(p) != 0) + 64 * (isinf(q) != 0) + 128 * (isfinite(p) != 0) +
           256 * (signbit(q) != 0 && !isnan(q));
}
