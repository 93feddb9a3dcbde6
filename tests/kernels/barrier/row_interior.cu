/* Three and more comparisons of threadIdx.x and of what counts with it, between barriers, which hold in the middle of a row: signed,
   unsigned and wide ones, near the ends of their types, too, with a number that is left out, with clamped neighbours, and
   in a loop that makes the middle smaller.

   block  1 16 31 32 33 64 100 256 1024
   vary   low = -40, 0, 5, 16, 33, 2**31 - 500
   vary   high = -40, 16, 70, 2**31 - 1
   vary   far = 0, 40, 2**31, 2**63 - 500, 2**64 - 40
   let    n = bx
   in     x = ints(-1000, 1000, n, i4)
   out    y0 = empty(n, i4)
   out    y1 = empty(n, i4)
   out    y2 = empty(n, i4)
   out    y3 = empty(n, i4)
   out    y4 = empty(n, i4)
   out    y5 = empty(n, i4)
   out    y6 = empty(n, i4)
   out    y7 = empty(n, i4)
   out    y8 = empty(n, i4)
   out    y9 = empty(n, i4)
   out    y10 = empty(n, i4)
   out    y11 = empty(n, i4)
   out    y12 = empty(n, i4)
   out    y13 = empty(n, i4)
   out    y14 = empty(n, i4)
   let    t = arange(n)
   let    u = u8(far) + t.astype(u8)
   let    middle = (t >= 1) & (t < n - 1)
   def    twice(c): return where(c & middle, 2 * x, x)
   def    clamped(k): return x[maximum(t - k, 0)] + x[minimum(t + k, n - 1)]
   call   below[1, None](y0, x, low, high, u8(far))
   call   above[1, None](y1, x, low, high, u8(far))
   call   between[1, None](y2, x, low, high, u8(far))
   call   shifted[1, None](y3, x, low, high, u8(far))
   call   wrapped[1, None](y4, x, low, high, u8(far))
   call   far_below[1, None](y5, x, low, high, u8(far))
   call   far_above[1, None](y6, x, low, high, u8(far))
   call   but_one[1, None](y7, x, low, high, u8(far))
   call   neighbours[1, None](y8, x, low, high, u8(far))
   call   shrinking[1, None](y9, x, low, high, u8(far))
   call   down[1, None](y10, x, low, high, u8(far))
   call   down_wrapped[1, None](y11, x, low, high, u8(far))
   call   down_far[1, None](y12, x, low, high, u8(far))
   call   above_wrapped[1, None](y13, x, low, high, u8(far))
   call   far_over[1, None](y14, x, low, high, u8(far))
   expect y0 = twice((t < high) & (low < 10))
   expect y1 = twice(t >= low)
   expect y2 = twice((t > low) & (t <= high))
   expect y3 = twice(t + low < high)
   expect y4 = twice((t + low) % 2**32 < high % 2**32)
   expect y5 = twice(u <= u8(2**63 + 5 * 64))
   expect y6 = twice(u.astype(i8) > i8(40))
   expect y7 = twice((t != high) & (t + low != high) & (t - low != 3))
   expect y8 = where((t >= 2) & (t < high), clamped(1), clamped(3))
   expect y9 = x + sum([where((t > k) & (t < n - 1 - k) & (low + t < high), k + 1, 0) for k in range(5)], axis=0)
   expect y10 = twice((n - t > low) & (high - t >= 9) & (40 - t != low))
   expect y11 = twice(((low - t) % 2**32 <= high % 2**32) & (low - t != 5))
   expect y12 = twice((u8(far) - t.astype(u8) < u8(2**63 + 40)) & ((u8(far) - t.astype(u8)).astype(i8) < 2**62))
   expect y13 = twice((t + low).astype(i4) >= 3)
   expect y14 = twice(u > u8(2**63 + 100))
*/
#define PART(name, condition, value, other)                                                                         \
    extern "C" __global__ void name(int *y, const int *x, int low, int high, unsigned long long far)                 \
    {                                                                                                               \
        __shared__ int s[1024], r[1024];                                                                            \
        int t = threadIdx.x, n = blockDim.x;                                                                        \
        s[t] = x[t];                                                                                                \
        __syncthreads();                                                                                            \
        r[t] = other;                                                                                               \
        if (condition)                                                                                              \
            r[t] = value;                                                                                           \
        __syncthreads();                                                                                            \
        y[n - 1 - t] = r[n - 1 - t];                                                              \
    }

#define MIDDLE (t >= 1 && t < n - 1)
PART(below, MIDDLE && t < high && low < 10, 2 * s[t], s[t])
PART(above, MIDDLE && t >= low, 2 * s[t], s[t])
PART(above_wrapped, MIDDLE && (int)((unsigned)t + low) >= 3, 2 * s[t], s[t])
PART(far_over, MIDDLE && t + far > (1ull << 63) + 100, 2 * s[t], s[t])
PART(between, MIDDLE && t > low && t <= high, 2 * s[t], s[t])
PART(shifted, MIDDLE && (long long)t + low < high, 2 * s[t], s[t])
PART(wrapped, MIDDLE && (unsigned)t + low < (unsigned)high, 2 * s[t], s[t])
PART(far_below, MIDDLE && t + far <= (1ull << 63) + 5 * 64, 2 * s[t], s[t])
PART(far_above, MIDDLE && (long long)(t + far) > 40, 2 * s[t], s[t])
PART(but_one, MIDDLE && t != high && t + (long long)low != high && t - low != 3, 2 * s[t], s[t])
PART(down, MIDDLE && n - t > low && (long long)high - t >= 9 && 40 - t != low, 2 * s[t], s[t])
PART(down_wrapped, MIDDLE && (unsigned)low - t <= (unsigned)high && (unsigned)low - t != 5, 2 * s[t], s[t])
PART(down_far, MIDDLE && far - t < (1ull << 63) + 40 && (long long)(far - t) < 1ll << 62, 2 * s[t], s[t])
PART(neighbours, t >= 2 && t < high, s[t > 0 ? t - 1 : t] + s[t < n - 1 ? t + 1 : t],
     s[max(t - 3, 0)] + s[min(t + 3, n - 1)])

extern "C" __global__ void shrinking(int *y, const int *x, int low, int high, unsigned long long)
{
    __shared__ int s[1024];
    int t = threadIdx.x, n = blockDim.x, sum;
    s[t] = x[t];
    __syncthreads();
    for (int i = 0; i < 5; i++) {
        bool active = t > i && t < n - 1 - i && (long long)low + t < high;
        if (active)
            sum = s[t] + i + 1;
        __syncthreads();
        if (active)
            s[t] = sum;
        __syncthreads();
    }
    y[t] = s[t];
}
