/* Sparse matrix times vector in CSR form, one thread a row; empty rows too.

   let    m = 500
   let    count = where(arange(m) % 11 == 3, 0, ints(0, 20, m))
   let    n = m
   in     start = append(0, cumsum(count)).astype(i4)
   let    size = int(start[-1])
   in     column = ints(0, 299, size)
   in     value = floats(size)
   in     x = floats(300)
   out    y = empty(m, f4)
   call   spmv(start, column, value, x, y, m)
   near   1e-5 y = [(value[a:b].astype(f8) * x[column[a:b]]).sum() for a, b in zip(start[:-1], start[1:])]
*/
extern "C" __global__ void spmv(const int *start, const int *column, const float *value,
                                const float *x, float *y, int m)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m)
        return;
    float sum = 0;
    for (int k = start[row]; k < start[row + 1]; k++)
        sum += value[k] * x[column[k]];
    y[row] = sum;
}
