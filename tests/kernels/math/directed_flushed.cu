/* Sums of float rounded up, down and to zero where denormal numbers are flushed, and what nearest rounding loses is one.

   options -ftz=true
   let    n = 500
   in     a = (exp2(ints(-120, -105, n, i4)) * floats(n, f8, 1, 2)).astype(f4)
   in     b = (exp2(ints(-125, -120, n, i4)) * floats(n, f8, 1, 2) * (1 - 2 * ints(0, 1, n, i4))).astype(f4)
   out    y = empty((n, 3), f4)
   let    exact = a.astype(f8) + b.astype(f8)
   let    s = exact.astype(f4)
   let    up = where(s >= exact, s, nextafter(s, f4(inf)))
   let    down = where(s <= exact, s, nextafter(s, f4(-inf)))
   let    normal = abs(s) > 2.0 ** -125
   call   rounded(a, b, y, n)
   expect y[normal, 0] = up[normal]
   expect y[normal, 1] = down[normal]
   expect y[normal, 2] = where(exact > 0, down, up)[normal]
*/
extern "C" __global__ void rounded(const float *a, const float *b, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[3 * i] = __fadd_ru(a[i], b[i]);
    y[3 * i + 1] = __fadd_rd(a[i], b[i]);
    y[3 * i + 2] = __fadd_rz(a[i], b[i]);
}
