/* How min, max, comparison and the functions treat NaN, infinity and values out of their domain.

   let    values = [0.0, 1.0, -1.0, inf, -inf, nan]
   let    n = 36
   in     a = repeat(array(values, f4), 6)
   in     b = tile(array(values, f4), 6)
   out    y = empty((n, 4), f4)
   out    z = empty((n, 4), f4)
   out    k = empty(n, i4)
   call   rules(a, b, y, z, k, n)
   expect y = stack([fmax(a, b), fmin(a, b), abs(a), fmod(a, b)], 1)
   expect isnan(z) = stack([isnan(sqrt(a)), isnan(log(a)), isnan(exp(a)), isnan(arccos(a))], 1)
   expect isinf(z) = stack([isinf(sqrt(a)), isinf(log(a)), isinf(exp(a)), zeros(n)], 1)
   expect k = 1 * isnan(a) + 2 * isinf(a) + 4 * isfinite(a) + 8 * ((a < b) | (a > b)) + 16 * ((a != b) & ~((a < b) | (a > b)))
*/
extern "C" __global__ void rules(const float *a, const float *b, float *y, float *z, int *k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float p = a[i], q = b[i];
    y[4 * i] = fmaxf(p, q);
    y[4 * i + 1] = fminf(p, q);
    y[4 * i + 2] = fabsf(p);
    y[4 * i + 3] = fmodf(p, q);
    z[4 * i] = sqrtf(p);
    z[4 * i + 1] = logf(p);
    z[4 * i + 2] = expf(p);
    z[4 * i + 3] = acosf(p);
    k[i] = (isnan(p) ? 1 : 0) + (isinf(p) ? 2 : 0) + (isfinite(p) ? 4 : 0) + (p < q || p > q ? 8 : 0) +
           (p != p || q != q ? 16 : 0);
}
