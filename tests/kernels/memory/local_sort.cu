/* Insertion sort of a local array in each thread, of different lengths.

   let    n = 300
   in     len_ = ints(0, 12, n)
   in     x = ints(-99, 99, (n, 12), i2)
   out    y = empty((n, 12), i2)
   call   sort_rows(len_, x, y, n)
   expect y = [append(sort(r[:k]), r[k:]) for r, k in zip(x, len_)]
*/
extern "C" __global__ void sort_rows(const int *len, const short *x, short *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    short a[12];
    for (int k = 0; k < 12; k++)
        a[k] = x[12 * i + k];
    for (int k = 1; k < len[i]; k++) {
        short v = a[k];
        int m = k;
        while (m > 0 && a[m - 1] > v) {
            a[m] = a[m - 1];
            m--;
        }
        a[m] = v;
    }
    for (int k = 0; k < 12; k++)
        y[12 * i + k] = a[k];
}
