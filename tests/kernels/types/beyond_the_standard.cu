/* What C++ leaves undefined and GPUs define: shifts by too much, numbers too large for an integer, products that wrap,
   bools that are bytes.

   vary   n = 1, 100
   vary   far = 5, 31, 32, 33, 64, 70
   in     k = ints(0, 80, n)
   in     f = resize(array([-1.5, -0.5, 300, 255.9, 1e10, -1e30, inf, -inf, nan, 70000], f4), n)
   out    s = empty((n, 8), i8)
   out    c = empty((n, 6), i8)
   in     flag = ints(0, 255, n, u1)
   out    r = empty((n, 5), i4)
   def    left(k, bits): return array([wrap(1 << int(v), f'i{bits // 8}')[0] for v in k], i8)
   def    clamp(v, low, high): return [0 if e != e else low if e <= low else high if e >= high else int(e) for e in v.tolist()]
   def    lcg(v): return wrap(v.astype(object) * 1103515245 + 12345, i4)
   let    k8 = k.astype(i8)
   let    by = full(n, far)
   let    u = array(clamp(f, 0, 2**32 - 1), i8)
   let    i = array(clamp(f, -2**31, 2**31 - 1), i8)
   let    random = lcg(arange(n) + 1)
   call   shift(k, far, s, n)
   call   convert(f, c, n)
   call   wrapped(flag, r, n)
   expect s[:, :4] = stack([left(k, 32), left(k, 64), 2**32 - 1 >> minimum(k8, 40), -9 >> minimum(k8, 40)], 1)
   expect s[:, 4:] = stack([left(by, 32), left(by, 64), 2**32 - 1 >> minimum(by, 40), -9 >> minimum(by, 40)], 1)
   expect c = stack([u & 255, wrap(i, i1), u & 65535, wrap(i, i2), u, i], 1)
   expect r = stack([random, random < 0, trunc(random / 65536), fmod(random, 10), where(flag, 3, 4)], 1)
*/
__device__ void shifts(int k, long long *s)
{
    s[0] = 1 << k;
    s[1] = 1ll << k;
    s[2] = 0xffffffffu >> k;
    s[3] = -9 >> k;
}

extern "C" __global__ void shift(const int *k, int far, long long *s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    shifts(k[i], s + 8 * i);
    shifts(far, s + 8 * i + 4);
}

extern "C" __global__ void convert(const float *f, long long *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    c[6 * i] = (unsigned char)f[i];
    c[6 * i + 1] = (signed char)f[i];
    c[6 * i + 2] = (unsigned short)f[i];
    c[6 * i + 3] = (short)f[i];
    c[6 * i + 4] = (unsigned)f[i];
    c[6 * i + 5] = (int)f[i];
}

extern "C" __global__ void wrapped(const bool *flag, int *r, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int random = (i + 1) * 1103515245 + 12345;
    r[5 * i] = random;
    r[5 * i + 1] = random < 0;
    r[5 * i + 2] = random / 65536;
    r[5 * i + 3] = random % 10;
    r[5 * i + 4] = flag[i] ? 3 : 4;
}
