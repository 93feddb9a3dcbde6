/* Arrays of structures of 2, 3 and 4 members of all sizes: all members, some of them, in place.

   vary   n = 1000, 7
   in     a = ints(-99, 99, (n, 2))
   in     b = floats((n, 3))
   in     c = ints(0, 255, (n, 3), u1)
   in     d = ints(-999, 999, (n, 4), i2)
   in     w = floats((n, 4), f8)
   out    swapped = empty((n, 2), i4)
   out    turned = empty((n, 3), f4)
   out    grey = empty(n, u1)
   inout  rest = full((n, 4), 7, i2)
   out    sums = empty((n, 2), f8)
   inout  place = floats((n, 2))
   inout  chain = ints(-9, 9, (n, 4))
   call   members(n, a, b, c, d, w, swapped, turned, grey, rest, sums)
   call   in_place(n, place, chain)
   expect swapped = a[:, ::-1] * [1, 2]
   expect turned = stack([b[:, 1], b[:, 2], b[:, 0] + b[:, 1]], 1)
   expect grey = (c.astype(i4) @ [77, 150, 29] >> 8).astype(u1)
   expect rest = stack([d[:, 3], full(n, 7), d[:, 1] - d[:, 0], full(n, 7)], 1)
   expect sums = stack([w[:, 0] + w[:, 3], w[:, 1]], 1)
   expect place = stack([place[:, 0] * 2, place[:, 0] * 2 + place[:, 1]], 1)
   expect chain = stack([chain[:, 3], chain[:, 3] + chain[:, 1], chain[:, 3], chain[:, 3] + chain[:, 1]], 1)
*/
struct point {
    float x, y, z;
};

extern "C" __global__ void members(int n, const int *a, const point *b, const unsigned char *c,
                                   const short4 *d, const double *w, int *swapped, point *turned,
                                   unsigned char *grey, short *rest, double2 *sums)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int first = a[2 * i], second = a[2 * i + 1];
    swapped[2 * i] = second;
    swapped[2 * i + 1] = 2 * first;
    point p = b[i];
    turned[i].x = p.y;
    turned[i].y = p.z;
    turned[i].z = p.x + p.y;
    grey[i] = (77 * c[3 * i] + 150 * c[3 * i + 1] + 29 * c[3 * i + 2]) >> 8;
    short4 s = d[i];
    rest[4 * i] = s.w;
    rest[4 * i + 2] = s.y - s.x;
    sums[i] = make_double2(w[4 * i] + w[4 * i + 3], w[4 * i + 1]);
}

extern "C" __global__ void in_place(int n, float2 *place, int4 *chain)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    place[i].x *= 2;
    place[i].y += place[i].x;
    int4 *mine = chain + i;
    mine->x = mine->w;
    mine->y += mine->x;
    mine->z = mine->x;
    mine->w = mine->y;
}
