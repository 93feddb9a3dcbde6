/* Sixty branches one in the other, each taken by some of the threads, with something to do on both sides.

   block  1 32 33 256
   let    n = 300
   let    grid = cdiv(n, threads)
   in     x = ints(0, 2**31 - 1, n, u4)
   inout  count = zeros(61, i4)
   out    y = empty(n, u4)
   let    seen = zeros(61, i4)
   def    walk(v, depth, r):
              seen[depth] += 1
              if not depth: return r
              v = v * 1664525 + 1013904223 & 0xffffffff
              inner = walk(v, depth - 1, r + depth & 0xffffffff) if v >> 28 else r * 3 & 0xffffffff
              return inner ^ v
   call   nested(x, y, count, n)
   expect y = [walk(int(v), 60, 0) for v in x]
   expect count = seen
*/
template <int depth> struct Walk {
    static __device__ __forceinline__ unsigned from(unsigned v, unsigned r, int *count)
    {
        atomicAdd(count + depth, 1);
        v = v * 1664525 + 1013904223;
        if (v >> 28)
            r = Walk<depth - 1>::from(v, r + depth, count);
        else
            r = r * 3;
        return r ^ v;
    }
};

template <> struct Walk<0> {
    static __device__ __forceinline__ unsigned from(unsigned, unsigned r, int *count)
    {
        atomicAdd(count, 1);
        return r;
    }
};

extern "C" __global__ void nested(const unsigned *x, unsigned *y, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = Walk<60>::from(x[i], 0, count);
}
