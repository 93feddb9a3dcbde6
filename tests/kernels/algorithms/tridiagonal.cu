/* The Thomas algorithm, one system a thread, systems interleaved in memory.

   let    n = 130
   let    m = 16
   let    r = floats((4, m, n), f8)
   in     a = r[0]
   in     b = r[1] + 4
   in     c = r[2]
   inout  d = r[3]
   out    work = empty((m, n), f8)
   def    f():
              x = empty((m, n))
              for i in range(n):
                  x[:, i] = linalg.solve(diag(b[:, i]) + diag(a[1:, i], -1) + diag(c[:-1, i], 1), r[3][:, i])
              return x
   call   thomas(a, b, c, d, work, m, n)
   near   1e-12 d = f()
   expect work[0] = c[0] / b[0]
*/
extern "C" __global__ void thomas(const double *a, const double *b, const double *c, double *d,
                                  double *work, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    work[i] = c[i] / b[i];
    d[i] = d[i] / b[i];
    for (int k = 1; k < m; k++) {
        int at = k * n + i;
        double f = 1 / (b[at] - a[at] * work[at - n]);
        work[at] = c[at] * f;
        d[at] = (d[at] - a[at] * d[at - n]) * f;
    }
    for (int k = m - 2; k >= 0; k--)
        d[k * n + i] -= work[k * n + i] * d[(k + 1) * n + i];
}
