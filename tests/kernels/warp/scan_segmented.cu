/* A scan that starts anew at flags, found by ballot and count of leading zeros.

   block  32 128
   let    n = threads
   in     x = ints(-99, 99, n)
   in     head = ints(0, 5, n)
   out    y = empty(n, i4)
   let    grid = 1
   def    f():
              r, s = [], 0
              for i in range(n):
                  s = int(x[i]) if i % 32 == 0 or head[i] == 0 else s + int(x[i])
                  r.append(s)
              return r
   call   segments(x, head, y)
   expect y = f()
*/
extern "C" __global__ void segments(const int *x, const int *head, int *y)
{
    int t = threadIdx.x, lane = t & 31, v = x[t];
    unsigned heads = __ballot_sync(0xffffffff, head[t] == 0) | 1;
    unsigned below = heads & (0xffffffffu >> (31 - lane));
    int start = 31 - __clz(below);
    for (int by = 1; by < 32; by *= 2) {
        int other = __shfl_up_sync(0xffffffff, v, by);
        if (lane - by >= start)
            v += other;
    }
    y[t] = v;
}
