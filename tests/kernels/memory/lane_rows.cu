/* Each thread goes along a row of its own: of 1 to 8 bytes, from the second element on, of lengths that loads of 16 bytes do not
   divide; forwards and backwards, two rows at once, unsigned numbers, and a row that the thread changes. Members of structures
   anywhere.

   vary   n = 0, 1, 3, 4, 17, 50
   let    rows = 70
   let    full = (rows * n + 16)
   in     b = ints(-99, 99, full, i1)
   in     h = ints(-99, 99, full, i2)
   in     w = ints(-99, 99, full, i4)
   in     d = ints(-99, 99, full, i8)
   in     index = ints(0, rows - 1, rows)
   in     five = ints(-99, 99, (rows, 5), i4)
   inout  own = w.copy()
   out    sums = empty((7, rows), i8)
   def    row(x, first): return x[first:first + rows * n].reshape(rows, n).astype(i8)
   def    weights(k): return arange(k) + 1
   call   along[cdiv(rows, threads)](b, h, w, d, index, five, own, sums, n, rows)
   expect sums[0] = row(b, 1) @ weights(n)
   expect sums[1] = row(h, 1) @ weights(n)
   expect sums[2] = row(w, 1) @ weights(n) + row(w, 2) @ weights(n)
   expect sums[3] = row(d, 1) @ weights(n)
   expect sums[4] = row(w, 0) @ weights(n)[::-1]
   expect sums[5] = five[index].astype(i8) @ array([1, 2, 3, 4, 5])
   expect sums[6] = row(w, 0) @ weights(n)
   expect own[:rows * n] = (w[:rows * n].reshape(rows, n) + zeros((1, n), i4)).cumsum(1).ravel() if n else w[:0]
*/
struct five {
    int a, b, c, d, e;
};

template <class T> __device__ long long weighted(const T *x, int n)
{
    long long sum = 0;
    for (int k = 0; k < n; k++)
        sum += (long long)x[k] * (k + 1);
    return sum;
}

extern "C" __global__ void along(const char *b, const short *h, const int *w, const long long *d, const int *index,
                                 const five *x, int *own, long long *sums, int n, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    sums[i] = weighted(b + 1 + i * n, n);
    sums[rows + i] = weighted(h + 1 + i * n, n);
    long long two = 0;
    for (int k = 0; k < n; k++)
        two += (long long)(k + 1) * w[i * n + k + 1] + (long long)(k + 1) * w[i * n + k + 2];
    sums[2 * rows + i] = two;
    sums[3 * rows + i] = weighted(d + 1 + i * n, n);
    long long back = 0;
    for (int k = n - 1; k >= 0; k--)
        back += (long long)(n - k) * w[i * n + k];
    sums[4 * rows + i] = back;
    const five *p = x + index[i];
    sums[5 * rows + i] = p->a + 2ll * p->b + 3ll * p->c + 4ll * p->d + 5ll * p->e;
    long long u = 0;
    for (unsigned k = 0; k < (unsigned)n; k++)
        u += (long long)(k + 1) * w[(unsigned)i * (unsigned)n + k];
    sums[6 * rows + i] = u;
    for (int k = 1; k < n; k++)
        own[i * n + k] += own[i * n + k - 1];
}
