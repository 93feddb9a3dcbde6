/* Sparse matrix times vector in ELLPACK form, column-major, padding marked by -1.

   let    n = 300
   let    k = 7
   let    full_ = ints(0, n - 1, (k, n))
   in     column = where(arange(k)[:, None] < ints(0, k, n), full_, -1).astype(i4)
   in     value = floats((k, n))
   in     x = floats(n)
   out    y = empty(n, f4)
   call   spmv(column, value, x, y, k, n)
   near   1e-5 y = where(column >= 0, value.astype(f8) * x[column], 0).sum(0)
*/
extern "C" __global__ void spmv(const int *column, const float *value, const float *x, float *y,
                                int k, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float sum = 0;
    for (int j = 0; j < k; j++) {
        int c = column[j * n + row];
        if (c < 0)
            break;
        sum += value[j * n + row] * x[c];
    }
    y[row] = sum;
}
