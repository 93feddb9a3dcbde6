/* Insertion into an open-addressing hash table by compare-and-swap, then look-ups.

   let    n = 700
   in     key = ints(1, 900, n)
   inout  table = zeros((1024, 2), i4)
   out    found = empty(n, i4)
   call   insert(key, table, n)
   call   find(key, table, found, n)
   expect sort(table[:, 0]) = sort(pad(unique(key), (0, 1024 - len(unique(key)))))
   expect found = bincount(key)[key]
*/
__device__ unsigned place(int key)
{
    return (unsigned)key * 2654435761u >> 22;
}

extern "C" __global__ void insert(const int *key, int *table, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned at = place(key[i]);
    for (;;) {
        int old = atomicCAS(&table[2 * at], 0, key[i]);
        if (old == 0 || old == key[i]) {
            atomicAdd(&table[2 * at + 1], 1);
            return;
        }
        at = (at + 1) & 1023;
    }
}

extern "C" __global__ void find(const int *key, const int *table, int *found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned at = place(key[i]);
    while (table[2 * at] != key[i])
        at = (at + 1) % 1024;
    found[i] = table[2 * at + 1];
}
