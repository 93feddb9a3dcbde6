/* All rounding functions on halves, on large and small values, and negative zero.

   let    values = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999997, -0.0, 0.0, 8388609.0, -8388608.5, 1e30, 2.7, -2.7]
   let    n = 14
   in     x = array(values, f4)
   out    y = empty((n, 6), f4)
   out    z = empty((n, 6), f8)
   out    k = empty((n, 2), i4)
   let    d = x.astype(f8)
   def    away(v): return copysign(floor(abs(v) + where(abs(v) < 0.5, 0, 0.5)), v)
   call   rounding(x, y, z, k, n)
   expect y = stack([floor(x), ceil(x), trunc(x), rint(x), rint(x), away(d)], 1)
   expect z = stack([floor(d), ceil(d), trunc(d), rint(d), rint(d), away(d)], 1)
   expect signbit(y[:, 1:]) = repeat(signbit(x)[:, None], 5, 1)
   expect k[:9] = stack([rint(d), away(d)], 1)[:9]
*/
extern "C" __global__ void rounding(const float *x, float *y, double *z, int *k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i], *r = y + 6 * i;
    r[0] = floorf(v);
    r[1] = ceilf(v);
    r[2] = truncf(v);
    r[3] = rintf(v);
    r[4] = nearbyintf(v);
    r[5] = roundf(v);
    double d = v, *s = z + 6 * i;
    s[0] = floor(d);
    s[1] = ceil(d);
    s[2] = trunc(d);
    s[3] = rint(d);
    s[4] = nearbyint(d);
    s[5] = round(d);
    if (fabsf(v) < 1e6f) {
        k[2 * i] = lrintf(v);
        k[2 * i + 1] = lround(d);
    }
}
