/* Ways of a branch that gather and scatter, which the lanes that go there take one after the other: neighbours, lanes on
   both sides of a gap or anywhere; what they read and leave behind are each lane's own.

   vary   n = 1, 37, 1000
   let    i = arange(n)
   in     flag = ints(-2, 2, n)
   in     x = ints(-100, 100, n)
   in     at = rng.permutation(n).astype(i4)
   let    go = flag > 0

   out    picked = empty(n, i4)
   inout  put = zeros(n, i4)
   call   pick(flag, x, at, picked, put, n)
   expect picked = where(go, x[at] - 2 * x[at[at]], -7)
   expect put = where(go[argsort(at)], 3 * x[argsort(at)], 0)

   vary   low = 0, 5, 20
   inout  around = zeros((n, 9), i2)
   call   gap(x, at, around, u4(low), n)
   expect around[:, 8] = where(wrap(i % bx - low - 4, u4) >= 10, x[at] + x[at[at]], 0)
   expect around[:, :8] = 0

   def    go_on(way): return way + [at[way[-1]]]
   let    way = array(go_on(go_on(go_on(go_on(go_on(go_on(go_on(go_on([i])))))))))
   let    went = arange(1, 8)[:, None] <= minimum(6 - 2 * flag, 7)
   out    total = empty(n, f8)
   call   turns(flag, x, at, total, 7, n)
   expect total = (went * (x[way[1:8]] + 0.5 * x[way[2:]])).sum(0) - 10 * (flag <= 0)

   let    far = ints(-9, 9, (70, 70))
   inout  diagonal = far.copy()
   call   diagonals[1, (33, 1, 1)](diagonal, 33)
   call   diagonals[1, (16, 1, 1)](diagonal, 16)
   def    cell(s, y, z): s[y + 1, z + 1] = max(max(s[y, z + 1], s[y + 1, z]) - 3, s[y, z] + y * z % 5)
   def    rows(s, n): [cell(s, y, z) for y in range(n) for z in range(n)]; return s
   expect diagonal = rows(rows(far.copy(), 33), 16)
*/
extern "C" __global__ void pick(const int *flag, const int *x, const int *at, int *picked, int *put, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = -7;
    if (i >= n)
        return;
    if (flag[i] > 0) {
        int to = at[i];
        v = x[to] - 2 * x[at[to]];
        put[to] = 3 * x[i];
    }
    picked[i] = v;
}

/* Numbers wrap around: the lanes are those on both sides. */
extern "C" __global__ void gap(const int *x, const int *at, short *around, unsigned low, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned t = threadIdx.x - low;
    if (i < n && t - 4 >= 10)
        around[9 * i + 8] = x[at[i]] + x[at[at[i]]];
}

/* The way ends a turn of a loop, and goes on with what the turn before it left. */
extern "C" __global__ void turns(const int *flag, const int *x, const int *at, double *total, int turns, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, to = i;
    if (i >= n)
        return;
    double s = 0;
    for (int k = 0; k < turns; k++) {
        if (k == 1 && flag[i] <= 0)
            s -= 10;
        if (k - 2 * flag[i] < 1)
            continue;
        to = at[to];
        s += x[to] + 0.5 * x[at[to]];
    }
    total[i] = s;
}

extern "C" __global__ void diagonals(int *score, int n)
{
    int t = threadIdx.x;
    for (int d = 0; d < 2 * n - 1; d++) {
        int y = d - t;
        if (y >= 0 && y < n) {
            int *s = score + 70 * y + t;
            s[71] = max(max(s[1], s[70]) - 3, s[0] + y * t % 5);
        }
        __syncthreads();
    }
}
