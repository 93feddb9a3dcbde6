/* Nearest of m points for each of n points, squared distances in integers, first one wins.

   let    n = 333
   let    m = 77
   in     p = ints(-99, 99, (n, 2), i2)
   in     q = ints(-99, 99, (m, 2), i2)
   out    best = empty(n, i4)
   out    where_ = empty(n, i4)
   let    d = ((p[:, None].astype(i4) - q) ** 2).sum(2)
   call   nearest(p, q, best, where_, m, n)
   expect best = d.min(1)
   expect where_ = d.argmin(1)
*/
extern "C" __global__ void nearest(const short2 *p, const short2 *q, int *best, int *where, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int low = 0x7fffffff, at = -1;
    for (int k = 0; k < m; k++) {
        int dx = p[i].x - q[k].x, dy = p[i].y - q[k].y, d = dx * dx + dy * dy;
        if (d < low) {
            low = d;
            at = k;
        }
    }
    best[i] = low;
    where[i] = at;
}
