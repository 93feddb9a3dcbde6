/* A 2-D local array: 3x3 determinants and inverses, loops that unroll and loops that may not.

   block  1 31 33 128
   let    n = 200
   in     x = floats((n, 3, 3), f8) + 3 * eye(3)
   out    y = empty((n, 3, 3), f8)
   call   inverse(x, y, n)
   near   1e-12 y = linalg.inv(x)
*/
extern "C" __global__ void inverse(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a[3][6];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            a[r][c] = x[9 * i + 3 * r + c];
            a[r][c + 3] = r == c;
        }
    for (int p = 0; p < 3; p++) {
        int best = p;
        for (int r = p + 1; r < 3; r++)
            if (fabs(a[r][p]) > fabs(a[best][p]))
                best = r;
        for (int c = 0; c < 6; c++) {
            double t = a[p][c];
            a[p][c] = a[best][c];
            a[best][c] = t;
        }
        double d = a[p][p];
        for (int c = 0; c < 6; c++)
            a[p][c] /= d;
        for (int r = 0; r < 3; r++) {
            double f = a[r][p];
            if (r != p)
                for (int c = 0; c < 6; c++)
                    a[r][c] -= f * a[p][c];
        }
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            y[9 * i + 3 * r + c] = a[r][c + 3];
}
