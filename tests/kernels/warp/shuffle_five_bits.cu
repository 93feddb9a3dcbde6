/* Of a lane number, a distance and a lane mask shuffles take five bits (PTX ISA, shfl.sync), in a warp
   that is together and in one that has parted, for constants and for values that differ from lane to lane.

   block  32 64
   let    n = threads
   in     x = ints(-999, 999, n)
   in     d = ints(-64, 99, n)
   out    y = empty((n, 12), i4)
   let    grid = 1
   let    i = arange(n)
   let    l = i % 32
   def    index(k): return x[i - l + k % 32]
   def    up(k): return where(l >= k % 32, x[maximum(i - k % 32, 0)], x)
   def    down(k): return where(l + k % 32 < 32, x[minimum(i + k % 32, n - 1)], x)
   def    xor(k): return x[i - l + (l ^ k % 32)]
   def    four(k): return [index(k), up(k), down(k), xor(k)]
   call   five_bits(x, d, y)
   expect y = stack(four(d) + four(33) + four(d + 1), 1)
*/
template <class D> static __device__ void four(unsigned mask, int v, D d, int *p)
{
    p[0] = __shfl_sync(mask, v, d);
    p[1] = __shfl_up_sync(mask, v, d);
    p[2] = __shfl_down_sync(mask, v, d);
    p[3] = __shfl_xor_sync(mask, v, d);
}

extern "C" __global__ void five_bits(const int *x, const int *d, int *y)
{
    int t = threadIdx.x, v = x[t], *p = y + 12 * t;
    four(0xffffffff, v, d[t], p);
    p[4] = __shfl_sync(0xffffffff, v, 33);
    p[5] = __shfl_up_sync(0xffffffff, v, 33);
    p[6] = __shfl_down_sync(0xffffffff, v, 33);
    p[7] = __shfl_xor_sync(0xffffffff, v, 33);
    if (t % 3)
        four(0xffffffff, v, d[t] + 1, p + 8);
    else
        four(0xffffffff, v, d[t] + 1, p + 8);
}
