/* char3 (three bytes, no padding), uchar4, short2, double2, longlong2, uint3, int1.

   let    n = 210
   in     c = ints(-128, 127, (n, 3), i1)
   in     u = ints(0, 255, (n, 4), u1)
   in     s = ints(-30000, 30000, (n, 2), i2)
   in     d = floats((n, 2), f8)
   in     l = ints(-2**60, 2**60, (n, 2), i8)
   out    c2 = empty((n, 3), i1)
   out    u2_ = empty((n, 4), u1)
   out    s2 = empty((n, 2), i2)
   out    d2 = empty((n, 2), f8)
   out    l2 = empty((n, 2), i8)
   out    i3 = empty((n, 3), u4)
   call   mix(c, u, s, d, l, c2, u2_, s2, d2, l2, i3, n)
   expect c2 = c[:, ::-1]
   expect u2_ = wrap(u.astype(i4) + array([1, 2, 3, 4]), u1)
   expect s2 = wrap(s[:, ::-1].astype(i4) * 3, i2)
   near   1e-14 d2 = d * d[:, ::-1] + array([1, 0])
   expect l2 = stack([l.min(1), l.max(1)], 1)
   expect i3 = arange(n)[:, None] * array([1, 2, 3]) + u[:, :3]
*/
extern "C" __global__ void mix(const char3 *c, const uchar4 *u, const short2 *s, const double2 *d,
                               const longlong2 *l, char3 *c2, uchar4 *u2, short2 *s2, double2 *d2,
                               longlong2 *l2, uint3 *i3, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    c2[i] = make_char3(c[i].z, c[i].y, c[i].x);
    uchar4 v = u[i];
    v.x += 1;
    v.y += 2;
    v.z += 3;
    v.w += 4;
    u2[i] = v;
    s2[i] = make_short2(s[i].y * 3, s[i].x * 3);
    d2[i].x = d[i].x * d[i].y + 1;
    d2[i].y = d[i].y * d[i].x;
    longlong2 w = l[i];
    l2[i] = w.x < w.y ? w : make_longlong2(w.y, w.x);
    int1 one = make_int1(i);
    i3[i] = make_uint3(one.x + u[i].x, 2 * one.x + u[i].y, 3 * one.x + u[i].z);
}
