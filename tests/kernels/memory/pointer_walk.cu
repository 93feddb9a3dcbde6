/* Pointers that move through memory: rows walked by ++, compared with an end pointer.

   let    n = 130
   let    m = 17
   in     x = ints(0, 3, (n, m))
   out    y = empty((n, 3), i4)
   def    f(row):
              zero = [k for k, v in enumerate(row) if v == 0]
              stop = zero[1] if len(zero) > 1 else m
              return sum(row[:stop]), stop, row[stop - 1]
   call   walk(x, y, n, m)
   expect y = [f(r) for r in x.tolist()]
*/
extern "C" __global__ void walk(const int *x, int *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int *p = x + i * m, *end = p + m;
    int s = 0, zeros = 0;
    for (; p != end; ++p) {
        if (!*p && ++zeros == 2)
            break;
        s += *p;
    }
    y[3 * i] = s;
    y[3 * i + 1] = (int)(p - (x + i * m));
    y[3 * i + 2] = p[-1];
}
