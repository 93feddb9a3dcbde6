/* Vector types of the compiler (not CUDA's structs): arithmetic, swizzles, elements by variable index,
   conversions, comparisons, in memory, in loops, as parameter.

   host
   let    n = 300
   let    a = array([1.5, -2, 0.25, 8], f4)
   let    weight = array((a,), dtype([("v", f4, 4)]))
   let    i = arange(n)
   in     x = ints(-50, 50, (n, 4), i4)
   in     f = floats((n, 4), f4, -9, 9)
   in     small = ints(0, 255, (n, 4), u1)
   out    z = empty((n, 4), f4)
   out    y = empty((n, 2), i4)
   out    packed = empty(n, u4)
   out    three = empty((n, 4), i4)
   call   vectors(x, f, small, z, y, packed, three, weight["v"].view("V16")[0], n)
   def    at(v): return v[i, x[:, 0] & 3]
   expect z[:, :3] = where(f > 1, f[:, ::-1] * a, f + a)[:, :3]
   expect z[:, 3] = at(f) + f4(1)
   expect y = stack([x[:, 1] * (x[:, 3] & 3), x[:, 0] * (x[:, 3] & 3)], 1)
   out    back = empty((n, 2), i4)
   call   from_bits(x, back, n)
   expect back = stack([x[:, 1] + (x[:, 0] < 0), x[:, 0] + (x[:, 1] < 0)], 1)
   expect packed = (small[:, ::-1] + u1(1)).astype(u1).copy().view(u4)[:, 0]
   expect three[:, :3] = small[:, 1:].astype(i4) * i4(3)
   expect three[:, 3] = (f.sum(axis=1) > 0) * 7
*/
typedef float float_4 __attribute__((ext_vector_type(4)));
typedef int int_2 __attribute__((ext_vector_type(2)));
typedef int int_3 __attribute__((ext_vector_type(3)));
typedef int int_4 __attribute__((ext_vector_type(4)));
typedef unsigned char byte_4 __attribute__((ext_vector_type(4)));

__device__ float total(float_4 v)
{
    return v.x + v.y + v.z + v.w;
}

extern "C" __global__ void vectors(const int_4 *x, const float_4 *f, const byte_4 *small, float_4 *z,
                                   int_2 *y, unsigned *packed, int_4 *three, float_4 a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float_4 v = f[i], w = v > 1.0f ? v.wzyx * a : v + a;
    w.w = 1;
    w[3] += v[x[i].x & 3];
    z[i] = w;
    int_2 sum = 0;
    for (int k = 0; k < (x[i].w & 3); k++)
        sum += x[i].yx;
    y[i] = sum;
    byte_4 s = small[i];
    packed[i] = __builtin_bit_cast(unsigned, s.wzyx + (unsigned char)1);
    int_3 t = __builtin_convertvector(s.yzw, int_3) * 3;
    three[i].xyz = t;
    three[i].w = 7 * (total(v) > 0);
}

extern "C" __global__ void from_bits(const int_4 *x, int_2 *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long bits = (unsigned long long)(unsigned)x[i].x << 32 | (unsigned)x[i].y;
    int_2 v = __builtin_bit_cast(int_2, bits);
    y[i] = v - (v.yx < 0);
}
