/* A recursive quicksort of a row per thread, in place in global memory.

   let    n = 64
   let    m = 40
   inout  x = ints(-999, 999, (n, m))
   call   sort_rows(x, m, n)
   expect x = sort(x, 1)
*/
__device__ void quicksort(int *a, int low, int high)
{
    if (low >= high)
        return;
    int pivot = a[(low + high) / 2], i = low, j = high;
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            int t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
    }
    quicksort(a, low, j);
    quicksort(a, i, high);
}

extern "C" __global__ void sort_rows(int *x, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        quicksort(x + i * m, 0, m - 1);
}
