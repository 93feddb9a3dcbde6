/* Comparisons of threadIdx.x with numbers that a row computes, between barriers: below, above, between; signed, unsigned and
   wide, near the ends of their types, too, where unsigned ones wrap around; in blocks of one row and of two.

   block  1 31 32 33 64 96x2 100 256 1000
   vary   low = -7, 0, 5, 33, 2**30
   vary   high = -7, 0, 16, 70, 2**31 - 1
   vary   far = 0, 2**31, 2**62, 2**63 - 1100
   let    n = bx
   in     x = ints(-1000, 1000, n, i4)
   out    y0 = empty((by, n), i4)
   out    y1 = empty((by, n), i4)
   out    y2 = empty((by, n), i4)
   out    y3 = empty((by, n), i4)
   out    y4 = empty((by, n), i4)
   out    y5 = empty((by, n), i4)
   out    y6 = empty((by, n), i4)
   out    y7 = empty((by, n), i4)
   let    t = arange(n)
   let    u = u8(far) + t.astype(u8)
   def    rows(v): return tile(v, (by, 1))
   def    twice(c): return rows(where(c, 2 * x, x))
   call   below[1, None](y0, x, low, high, u8(far))
   call   above[1, None](y1, x, low, high, u8(far))
   call   between[1, None](y2, x, low, high, u8(far))
   call   shifted[1, None](y3, x, low, high, u8(far))
   call   wrapped[1, None](y4, x, low, high, u8(far))
   call   far_below[1, None](y5, x, low, high, u8(far))
   call   far_above[1, None](y6, x, low, high, u8(far))
   call   neighbours[1, None](y7, x, low, high, u8(far))
   expect y0 = twice(t < high)
   expect y1 = twice(t >= low)
   expect y2 = twice((t > low) & (t <= high))
   expect y3 = twice(t + low < high)
   expect y4 = twice((t + low) % 2**32 < high % 2**32)
   expect y5 = twice(u <= u8(2**63 + 5 * 64))
   expect y6 = twice((u.astype(i8) > i8(40)) & (t != 3))
   expect y7 = rows(where((t >= 2) & (t < high), x[where(t > max(low, 0), t - 1, t)] + x[where(t < n - 1, t + 1, t)], -x))
*/
#define PART(name, condition, value, other)                                                                         \
    extern "C" __global__ void name(int *y, const int *x, int low, int high, unsigned long long far)                 \
    {                                                                                                               \
        __shared__ int all_s[2][1024], all_r[2][1024];                                                              \
        int t = threadIdx.x, n = blockDim.x, *s = all_s[threadIdx.y], *r = all_r[threadIdx.y];                       \
        s[t] = x[t];                                                                                                \
        __syncthreads();                                                                                            \
        r[t] = other;                                                                                               \
        if (condition)                                                                                              \
            r[t] = value;                                                                                           \
        __syncthreads();                                                                                            \
        y[threadIdx.y * n + n - 1 - t] = r[n - 1 - t];                                                              \
    }

PART(below, t < high, 2 * s[t], s[t])
PART(above, t >= low, 2 * s[t], s[t])
PART(between, t > low && t <= high, 2 * s[t], s[t])
PART(shifted, t + low < high, 2 * s[t], s[t])
PART(wrapped, (unsigned)t + low < (unsigned)high, 2 * s[t], s[t])
PART(far_below, t + far <= (1ull << 63) + 5 * 64, 2 * s[t], s[t])
PART(far_above, (long long)(t + far) > 40 && t != 3, 2 * s[t], s[t])
PART(neighbours, t >= 2 && t < high, s[t > max(low, 0) ? t - 1 : t] + s[t < n - 1 ? t + 1 : t], -s[t])
