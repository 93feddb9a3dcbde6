/* What threads read before a barrier and write after it, at distances known when compiled: in order through the block,
   against it, both ways, across lanes, and by several rows at once.

   block  1 33 64 96 256 1024
   let    n = 2000
   in     x = ints(-99, 99, n)
   let    rows = concatenate([x, zeros(-n % threads, i4)]).reshape(-1, threads)
   def    later(b, by): return pad(b, ((0, 0), (by, 0)))[:, :b.shape[1]]
   def    sooner(b, by): return pad(b, ((0, 0), (0, by)))[:, by:]
   def    mirror(b): return pad(b, ((0, 0), (0, 1024 - b.shape[1])))[:, ::-1][:, :b.shape[1]]
   def    after(b, step):
              for by in (1, 4, 16, 64, 256):
                  b = step(b, by)
              return b.reshape(-1)[:n]
   out    y1 = empty(n, i4)
   call   from_before(x, y1, n)
   expect y1 = after(rows, lambda b, by: b + later(b, by))
   out    y2 = empty(n, i4)
   call   from_before_unsigned(x, y2, n)
   expect y2 = after(rows, lambda b, by: b + later(b, by))
   out    y3 = empty(n, i4)
   call   from_behind(x, y3, n)
   expect y3 = after(rows, lambda b, by: b + sooner(b, by))
   out    y4 = empty(n, i4)
   call   from_both_sides(x, y4, n)
   expect y4 = after(rows, lambda b, by: b + 2 * later(b, by) + sooner(b, by))
   out    y5 = empty(n, i4)
   call   from_mirror(x, y5, n)
   expect y5 = after(rows, lambda b, by: b + by * mirror(b))
   out    y6 = empty(n, i4)
   call   bytes(x, y6, n)
   expect y6 = after(rows, lambda b, by: b + later(b, by)) & 255
   out    y7 = empty(n, i4)
   call   push_up(x, y7, n)
   expect y7 = after(rows, lambda b, by: 3 * b + later(b, by))
   out    y8 = empty(n, i4)
   call   push_down(x, y8, n)
   expect y8 = after(rows, lambda b, by: 3 * b + sooner(b, by))
   out    y9 = empty(n, i4)
   call   push_up[cdiv(n, 64), (64, 4, 1)](x, y9, n)
   let    fours = concatenate([x, zeros(-n % 64, i4)]).reshape(-1, 64)
   expect y9 = after(fours, lambda b, by: 3 * b + later(b, by))
   out    y10 = empty(n, i4)
   call   through_pointer(x, y10, n)
   expect y10 = after(rows, lambda b, by: b + later(b, by))
   out    y12 = empty(n, i4)
   call   in_triples(x, y12, n)
   expect y12 = after(rows, lambda b, by: b + later(b, by))
   inout  y11 = x
   call   in_global_memory(y11, n)
   expect y11 = after(rows, lambda b, by: b + later(b, by))
*/
#define KERNEL(name, type, index, keep)                                          \
    extern "C" __global__ void name(const int *x, int *y, int n)                 \
    {                                                                            \
        __shared__ type s[1024], q[1024];                                        \
        index t = threadIdx.x, i = blockIdx.x * blockDim.x + t, end = blockDim.x; \
        s[t] = i < n ? x[i] : 0;                                                 \
        __syncthreads();                                                         \
        _Pragma("unroll") for (index by = 1; by <= 256; by *= 4)                 \
        {                                                                        \
            keep;                                                                \
        }                                                                        \
        if (i < n)                                                               \
            y[i] = s[t];                                                         \
        if (n < 0) /* never: q is used */                                        \
            y[i] = q[t];                                                         \
    }

#define ADD(value)          \
    auto v = value;         \
    __syncthreads();        \
    s[t] += v;              \
    __syncthreads()

#define PUSH(to, from)                            \
    int v = s[t];                                 \
    if (to)                                       \
        q[t + (from)] = v;                        \
    __syncthreads();                              \
    s[t] = 3 * v + ((from) > 0 ? t >= by ? q[t] : 0 \
                               : t + by < end ? q[t] : 0); \
    __syncthreads()

KERNEL(from_before, int, int, ADD(t >= by ? s[t - by] : 0))
KERNEL(from_before_unsigned, int, unsigned, ADD(t >= by ? s[t - by] : 0))
KERNEL(from_behind, int, int, ADD(t + by < end ? s[t + by] : 0))
KERNEL(from_both_sides, int, int, ADD((t >= by ? 2 * s[t - by] : 0) + (t + by < end ? s[t + by] : 0)))
KERNEL(from_mirror, int, int, ADD(1023 - t < end ? by * s[1023 - t] : 0))
KERNEL(bytes, unsigned char, int, ADD(t >= by ? s[t - by] : 0))
KERNEL(push_up, int, int, PUSH(t + by < end, by))
KERNEL(push_down, int, int, PUSH(t >= by, -by))

extern "C" __global__ void through_pointer(const int *x, int *y, int n)
{
    __shared__ int s[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, *mine = s + t;
    *mine = i < n ? x[i] : 0;
    __syncthreads();
#pragma unroll
    for (int by = 1; by <= 256; by *= 4) {
        int v = t >= by ? mine[-by] : 0;
        __syncthreads();
        *mine += v;
        __syncthreads();
    }
    if (i < n)
        y[i] = *mine;
}

extern "C" __global__ void in_triples(const int *x, int *y, int n)
{
    __shared__ int s[3 * 1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[3 * t + 1] = i < n ? x[i] : 0;
    __syncthreads();
#pragma unroll
    for (int by = 1; by <= 256; by *= 4) {
        int v = t >= by ? s[3 * (t - by) + 1] : 0;
        __syncthreads();
        s[3 * t + 1] += v;
        __syncthreads();
    }
    if (i < n)
        y[i] = s[3 * t + 1];
}

extern "C" __global__ void in_global_memory(int *y, int n)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
#pragma unroll
    for (int by = 1; by <= 256; by *= 4) {
        int v = t >= by && i < n ? y[i - by] : 0;
        __syncthreads();
        if (i < n)
            y[i] += v;
        __syncthreads();
    }
}
