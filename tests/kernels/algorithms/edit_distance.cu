/* Edit distances of pairs of words, rows of the table in local memory.

   let    n = 120
   in     a = ints(97, 100, (n, 12), u1)
   in     b = ints(97, 100, (n, 12), u1)
   in     la = ints(0, 12, n)
   in     lb = ints(0, 12, n)
   out    y = empty(n, i4)
   def    f(p, q):
              row = list(range(len(q) + 1))
              for i, c in enumerate(p):
                  new = [i + 1]
                  for j, d in enumerate(q):
                      new.append(min(new[j] + 1, row[j + 1] + 1, row[j] + (c != d)))
                  row = new
              return row[-1]
   call   distance(a, b, la, lb, y, n)
   expect y = [f(a[i, :la[i]].tolist(), b[i, :lb[i]].tolist()) for i in range(n)]
*/
extern "C" __global__ void distance(const char *a, const char *b, const int *la, const int *lb, int *y,
                                    int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const char *p = a + 12 * i, *q = b + 12 * i;
    unsigned char row[13];
    for (int j = 0; j <= lb[i]; j++)
        row[j] = j;
    for (int k = 0; k < la[i]; k++) {
        int corner = row[0];
        row[0] = k + 1;
        for (int j = 0; j < lb[i]; j++) {
            int best = corner + (p[k] != q[j]);
            corner = row[j + 1];
            best = min(best, min(row[j] + 1, corner + 1));
            row[j + 1] = best;
        }
    }
    y[i] = row[lb[i]];
}
