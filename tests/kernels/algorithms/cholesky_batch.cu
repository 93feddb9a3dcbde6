/* A 6x6 Cholesky factorisation and solve in each thread; triangular loops over a local matrix.

   block  1 31 33 128
   let    n = 100
   let    g = floats((n, 6, 6), f8)
   in     a = g @ g.transpose(0, 2, 1) + 2 * eye(6)
   in     b = floats((n, 6), f8)
   out    x = empty((n, 6), f8)
   call   solve(a, b, x, n)
   near   1e-11 x = linalg.solve(a, b[..., None])[..., 0]
*/
extern "C" __global__ void solve(const double *a, const double *b, double *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double l[6][6], v[6];
    for (int r = 0; r < 6; r++)
        for (int c = 0; c <= r; c++) {
            double s = a[36 * i + 6 * r + c];
            for (int k = 0; k < c; k++)
                s -= l[r][k] * l[c][k];
            l[r][c] = r == c ? sqrt(s) : s / l[c][c];
        }
    for (int r = 0; r < 6; r++) {
        v[r] = b[6 * i + r];
        for (int k = 0; k < r; k++)
            v[r] -= l[r][k] * v[k];
        v[r] /= l[r][r];
    }
    for (int r = 5; r >= 0; r--) {
        for (int k = r + 1; k < 6; k++)
            v[r] -= l[k][r] * v[k];
        v[r] /= l[r][r];
        x[6 * i + r] = v[r];
    }
}
