/* Loops over the grid whose iterations are the same for every thread: counters of all kinds, elements apart, before and behind,
   members, conditions, inner loops, rows of threads, several arrays written, ends that come from memory, and the counter's
   next value.

   block  1 31 32 33x2 100 256
   vary   n = 0, 1, 95, 5000
   vary   grid = 1, 3, 8
   let    i = arange(n)
   in     x = ints(-99, 99, n + 2)
   in     end = array([n, 2 * n], i4)
   in     p = floats((n + 1, 3))
   let    a = x[:n]
   let    b = x[1:n + 1]
   def    put(v): return concatenate([v, zeros(2 * n + 2 - len(v), i4)])
   inout  y = zeros((11, 2 * n + 2), i4)
   inout  z = floats((n + 1, 2))
   inout  q = zeros((n + 1, 2), f4)
   let    row = 4 * (2 * n + 2)
   call   as_int(y, x, n)
   call   as_unsigned(y + row, x, u4(n))
   call   as_size(y + 2 * row, x, u8(n))
   call   as_long(y + 3 * row, x, i8(n))
   call   from_end(y + 4 * row, x, n)
   call   pairs(y + 5 * row, x, n)
   call   neighbours(y + 6 * row, x, n)
   call   some(y + 7 * row, x, n)
   call   rounds(y + 8 * row, x, end)
   call   as_next(y + 9 * row, x, n)
   call   as_last(y + 10 * row, x, u8(n))
   call   members(z, q, p, n)
   expect y[0] = put(2 * a)
   expect y[1] = put(3 * a + i)
   expect y[2] = put(4 * a)
   expect y[3] = put(5 * a)
   expect y[4] = put(a[::-1])
   expect y[5] = put(stack([a, -a], axis=1).reshape(-1))
   expect y[6] = put(where(i > 0, x[i - 1], 0) + a + b)
   expect y[7] = put(where(a > 0, a, where(a < -50, 1, 0)))
   expect y[8] = put(a + 10)
   expect y[9] = put(a + i + grid * bx)
   expect y[10] = put(a + (i + grid * bx >= n))
   expect z[:n] = stack([p[:n, 1], z[:n, 0] + p[:n, 2]], axis=1)
   expect q[:n] = stack([p[:n, 0], z[:n, 0]], axis=1)
   expect q[n:] = 0
*/
extern "C" __global__ void as_int(int *y, const int *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = 2 * x[i];
}

extern "C" __global__ void as_unsigned(int *y, const int *x, unsigned n)
{
    const unsigned step = blockDim.x * gridDim.x;
    for (unsigned i = threadIdx.x + blockDim.x * blockIdx.x; n > i; i += step)
        y[i] = 3 * x[i] + i;
}

extern "C" __global__ void as_size(int *y, const int *x, size_t n)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = 4 * x[i];
}

extern "C" __global__ void as_long(int *y, const int *x, long long n)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n) {
        y[i] = 5 * x[i];
        i += (long long)gridDim.x * blockDim.x;
    }
}

extern "C" __global__ void from_end(int *y, const int *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[n - 1 - i] = x[i];
}

extern "C" __global__ void pairs(int2 *y, const int *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        y[i].x = x[i];
        y[i].y = -x[i];
    }
}

extern "C" __global__ void neighbours(int *y, const int *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = (i > 0 ? x[i - 1] : 0) + x[i] + x[i + 1];
}

extern "C" __global__ void some(int *y, const int *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        if (x[i] > 0)
            y[i] = x[i];
        else if (x[i] < -50)
            y[i] = 1;
    }
}

extern "C" __global__ void rounds(int *y, const int *x, const int *end)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < *end; i += gridDim.x * blockDim.x) {
        int v = x[i];
        for (int k = 0; k < 10; k++)
            v += (v + k < 1000);
        y[i] = v;
    }
}

extern "C" __global__ void as_next(int *y, const int *x, int n)
{
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;) {
        int k = i;
        i += step;
        y[k] = x[k] + i;
    }
}

extern "C" __global__ void as_last(int *y, const int *x, size_t n)
{
    size_t step = gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        y[i] = x[i] + (i + step >= n);
}

struct three {
    float a, b, c;
};

/* The second row of threads does the same once more. */
extern "C" __global__ void members(float2 *z, float2 *q, const three *p, int n)
{
    if (threadIdx.y)
        return;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float old = z[i].x;
        z[i].x = p[i].b;
        q[i] = make_float2(p[i].a, old);
        z[i].y = old + p[i].c;
    }
}
