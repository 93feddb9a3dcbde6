/* Blocks of as many threads as a shared array has elements, which go through barriers in one way: scans, trees, neighbours on either
   side, parts of a block that write, one element that all read, two arrays, values that live across barriers, conditions of the block,
   a loop before; the same kernels in blocks of other sizes.

   block  1 31 64 96 128 255 256
   vary   n = 3
   let    grid = n
   let    N = n * 256
   in     x = ints(-9, 9, N, i4)
   in     f = ints(-9, 9, N, i4).astype(f4)
   in     d = ints(-9, 9, N, i4).astype(f8)
   in     h = ints(-9, 9, N, i4).astype(i2)
   let    live = arange(256) < threads
   def    rows(v): return where(live, v.reshape(n, 256), 0)
   def    whole(v): return v.reshape(n, 256)
   def    moved(v, by): return concatenate([zeros((n, by), v.dtype), v[:, :256 - by]], axis=1)
   inout  a = zeros(N, i4)
   inout  c = zeros(N, f8)
   inout  g = zeros(N, f4)
   inout  o = zeros(N, i4)
   inout  p = zeros(N, i4)
   inout  q = zeros(N, i4)
   out    b = empty(n, f4)
   out    e = empty(N, i2)
   out    m = empty(n, i4)
   out    w = empty(N, i4)
   out    z = empty(n, i4)
   call   scan(a, x)
   call   earlier(c, d)
   call   first(g, f)
   call   two(o, x, 1)
   call   two(p, x, 0)
   call   kept(q, x)
   call   tree[n, 256](b, f)
   call   halves[n, 256](e, h)
   call   least[n, 256](m, x)
   call   turned[n, 256](w, x)
   call   strided[n, 256](z, x, N)
   expect rows(a) = cumsum(rows(x), axis=1) * live
   expect rows(c) = moved(rows(d), 1) * 2 * live + rows(d)
   expect rows(g) = rows(f) * (rows(f)[:, :1] + 1)
   expect rows(o) = (2 * rows(x) + moved(rows(x), 16) + 5) * live
   expect rows(p) = 2 * rows(x)
   expect rows(q) = (moved(rows(x), 3) * 100 + moved(rows(x), 7) * 10 + rows(x)) * live
   expect b = whole(f).sum(axis=1)
   expect whole(e) = where(arange(256) < 100, whole(h) + roll(whole(h), -100, 1), whole(h)) + whole(h)
   expect m = whole(x).min(axis=1)
   expect whole(w) = whole(x) - roll(whole(x), -128, 1)
   expect z = whole(x).sum(axis=1)
*/
extern "C" __global__ void scan(int *out, const int *in)
{
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = in[i];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        int other = t >= step ? s[t - step] : 0;
        __syncthreads();
        s[t] += other;
        __syncthreads();
    }
    out[i] = s[t];
}

/* 2048 bytes: more than registers hold on most processors. */
extern "C" __global__ void earlier(double *out, const double *in)
{
    __shared__ double s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = in[i];
    __syncthreads();
    double left = t > 0 ? s[t - 1] : 0;
    __syncthreads();
    s[t] = 2 * left;
    __syncthreads();
    out[i] = s[t] + in[i];
}

extern "C" __global__ void first(float *out, const float *in)
{
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = in[i];
    __syncthreads();
    if (t == 0)
        s[0] += 1;
    __syncthreads();
    out[i] = in[i] * s[0];
}

extern "C" __global__ void two(int *out, const int *in, int more)
{
    __shared__ int s[128], other[128];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (t < 128)
        s[t] = in[i];
    else
        other[t - 128] = in[i];
    __syncthreads();
    int v = t < 128 ? s[t] : other[t - 128];
    if (more) {
        int before = t >= 144 ? other[t - 144] : t >= 16 ? s[t - 16] : 0;
        v += before + 5;
    }
    __syncthreads();
    out[i] = v + in[i];
}

extern "C" __global__ void kept(int *out, const int *in)
{
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t, mine = in[i];
    s[t] = mine;
    __syncthreads();
    int three = t >= 3 ? s[t - 3] : 0;
    __syncthreads();
    int seven = t >= 7 ? s[t - 7] : 0;
    __syncthreads();
    s[t] = 0;
    __syncthreads();
    s[t] += 10 * seven;
    __syncthreads();
    out[i] = s[t] + 100 * three + mine;
}

extern "C" __global__ void tree(float *out, const float *in)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

extern "C" __global__ void halves(short *out, const short *in)
{
    __shared__ short s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = in[i];
    __syncthreads();
    short more = 0;
    if (t < 100)
        more = s[t + 100];
    __syncthreads();
    if (t < 100)
        s[t] += more;
    __syncthreads();
    out[i] = s[t] + in[i];
}

extern "C" __global__ void least(int *out, const int *in)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
#pragma unroll
    for (int half = 128; half > 0; half >>= 1) {
        if (t < half && s[t + half] < s[t])
            s[t] = s[t + half];
        __syncthreads();
    }
    if (t == 255)
        out[blockIdx.x] = s[0];
}

/* Both halves read what the other has written as floats. */
extern "C" __global__ void turned(int *out, const int *in)
{
    __shared__ int s[256];
    float *as_float = (float *)s;
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    as_float[t] = (float)in[i];
    __syncthreads();
    float other = t < 128 ? as_float[t + 128] : as_float[t - 128];
    __syncthreads();
    s[t] = in[i] - (int)other;
    __syncthreads();
    out[i] = s[t];
}

extern "C" __global__ void strided(int *out, const int *in, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x, sum = 0;
    for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256)
        sum += in[i];
    s[t] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
