/* Lower bounds in a sorted array, 64-bit indices, many equal keys.

   let    n = 900
   vary   m = 1000, 1, 0
   in     table = append(sort(ints(0, 300, m)), i4(0))
   in     key = ints(-5, 305, n)
   out    y = empty(n, i8)
   call   search(table, i8(m), key, y, n)
   expect y = searchsorted(table[:m], key)
*/
extern "C" __global__ void search(const int *table, long long m, const int *key, long long *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    long long low = 0, high = m;
    while (low < high) {
        long long middle = low + (high - low) / 2;
        if (table[middle] < key[i])
            low = middle + 1;
        else
            high = middle;
    }
    y[i] = low;
}
