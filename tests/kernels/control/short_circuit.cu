/* The right side of && and || runs, with its side effects, only where the left side lets it.

   let    n = 500
   in     x = ints(-4, 4, n)
   in     t = ints(0, 1, 5)
   out    y = empty((n, 3), i4)
   def    f(v):
              calls = r = 0
              if v >= 0:
                  calls += 1
                  if t[v]: r |= 1
              if v >= 0:
                  calls += 1
              if v < 0 or not t[v]: r |= 2
              q = 12 // v if v != 0 else 0
              if v == 0 or abs(q) > 3: r |= 4
              return v, calls, r
   call   logic(x, t, y, n)
   expect y = [f(int(v)) for v in x]
*/
__device__ bool look(const int *t, int k, int *calls)
{
    ++*calls;
    return t[k] != 0;
}

extern "C" __global__ void logic(const int *x, const int *t, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = x[i], calls = 0, r = 0;
    if (v >= 0 && look(t, v, &calls))
        r |= 1;
    if (v < 0 || !look(t, v, &calls))
        r |= 2;
    if (v == 0 || 12 / v > 3 || 12 / v < -3)
        r |= 4;
    y[3 * i] = v;
    y[3 * i + 1] = calls;
    y[3 * i + 2] = r;
}
