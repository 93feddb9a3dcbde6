/* Merge of two sorted arrays: each thread finds its place by a search along a diagonal.

   vary   sizes = (500, 700), (1, 300), (0, 64), (333, 0)
   let    na = sizes[0]
   let    nb = sizes[1]
   let    n = cdiv(na + nb, 8)
   in     a = append(sort(ints(0, 999, na)), i4(0))
   in     b = append(sort(ints(0, 999, nb)), i4(0))
   out    y = empty(na + nb, i4)
   call   merge(a, na, b, nb, y)
   expect y = sort(append(a[:na], b[:nb]))
*/
extern "C" __global__ void merge(const int *a, int na, const int *b, int nb, int *y)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    if (first >= na + nb)
        return;
    int low = max(0, first - nb), high = min(first, na);
    while (low < high) {
        int i = (low + high) / 2;
        if (a[i] <= b[first - 1 - i])
            low = i + 1;
        else
            high = i;
    }
    int i = low, j = first - low;
    for (int k = first; k < min(first + 8, na + nb); k++)
        y[k] = j >= nb || (i < na && a[i] <= b[j]) ? a[i++] : b[j++];
}
