/* The conversion intrinsics clamp what does not fit, and round as their names say.

   let    values = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.999, -0.999, 3e9, -3e9, 5e9, 1e30, -1e30, inf, -inf, 7.0]
   let    n = 16
   in     f = array(values, f4)
   out    y = empty((n, 4), i4)
   out    u = empty((n, 2), u4)
   out    l = empty((n, 2), i8)
   let    d = f.astype(f8)
   def    clamp(v, low, high): return [low if e <= low else high if e >= high else int(e) for e in v.tolist()]
   def    to_int(v): return clamp(v, -2**31, 2**31 - 1)
   call   convert(f, y, u, l, n)
   expect y = stack([to_int(rint(d)), to_int(trunc(d)), to_int(ceil(d)), to_int(floor(d))], 1)
   expect u = stack([clamp(rint(d), 0, 2**32 - 1), clamp(trunc(d), 0, 2**32 - 1)], 1)
   expect l = stack([clamp(rint(d), -2**63, 2**63 - 1), clamp(floor(d), -2**63, 2**63 - 1)], 1)
*/
extern "C" __global__ void convert(const float *f, int *y, unsigned *u, long long *l, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[4 * i] = __float2int_rn(f[i]);
    y[4 * i + 1] = __float2int_rz(f[i]);
    y[4 * i + 2] = __double2int_ru(f[i]);
    y[4 * i + 3] = __float2int_rd(f[i]);
    u[2 * i] = __float2uint_rn(f[i]);
    u[2 * i + 1] = __float2uint_rz(f[i]);
    l[2 * i] = __float2ll_rn(f[i]);
    l[2 * i + 1] = __double2ll_rd(f[i]);
}
