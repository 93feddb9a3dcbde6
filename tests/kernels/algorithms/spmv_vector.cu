/* Sparse matrix times vector, a sub-warp of eight threads a row.

   block  32 64 256
   let    m = 203
   let    count = ints(0, 40, m)
   let    grid = cdiv(m * 8, threads)
   in     start = append(0, cumsum(count)).astype(i4)
   let    size = int(start[-1])
   in     column = ints(0, 299, size)
   in     value = floats(size, f8)
   in     x = floats(300, f8)
   out    y = empty(m, f8)
   call   spmv(start, column, value, x, y, m)
   near   1e-13 y = [(value[a:b] * x[column[a:b]]).sum() for a, b in zip(start[:-1], start[1:])]
*/
extern "C" __global__ void spmv(const int *start, const int *column, const double *value,
                                const double *x, double *y, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / 8, lane = i % 8;
    double sum = 0;
    if (row < m)
        for (int k = start[row] + lane; k < start[row + 1]; k += 8)
            sum += value[k] * x[column[k]];
    for (int step = 4; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step, 8);
    if (row < m && lane == 0)
        y[row] = sum;
}
