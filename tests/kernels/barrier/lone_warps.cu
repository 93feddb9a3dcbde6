/* Blocks that are one vector on a CPU, or a little more or less: values that live across barriers, a table filled along
   its diagonals, turns that only some threads take part in, and a sum that all threads stop at together.

   block  1 15 16 17 31 32 33
   vary   turns = 0, 1, 40
   let    n = bx
   let    grid = 3
   in     x = ints(-50, 50, (3, n, n), i4)
   def    table(a):
              s = zeros((n + 1, n + 1), i4)
              for y in range(n):
                  for c in range(n):
                      s[y + 1, c + 1] = max(s[y, c + 1], s[y + 1, c]) - 1 + a[y, c]
              return s[1:, 1:]
   out    diagonals = empty((3, n, n), i4)
   out    sums = empty((3, n), i4)
   out    stops = empty((3, n), i4)
   call   along(diagonals, x)
   call   around(sums, x, turns)
   call   until(stops, x, turns)
   expect diagonals = stack([table(x[b]) for b in range(3)])
   let    first = x[:, 0, :]
   let    shifted = stack([roll(first, -d, 1) for d in range(1, n + 1)], 1)
   let    once = [sum([roll(first[b], -(d % n)) * (where(arange(n) > d, 1, 0)) for d in range(turns)], 0) for b in range(3)]
   expect sums = stack([first[b] + (once[b] if turns else 0) for b in range(3)])
   expect stops = minimum(turns, 7)
*/
extern "C" __global__ void along(int *out, const int *x)
{
    __shared__ int s[34][34], m[17][17];
    int t = threadIdx.x, n = blockDim.x;
    if (n <= 17)
        for (int r = 0; r < n; r++)
            m[r][t] = x[(blockIdx.x * n + r) * n + t];
    s[0][t + 1] = s[t + 1][0] = 0;
    if (t == 0)
        s[0][0] = 0;
    __syncthreads();
    for (int d = 0; d < 2 * n - 1; d++) {
        int y = d - t;
        if (y >= 0 && y < n)
            s[y + 1][t + 1] = max(s[y][t + 1], s[y + 1][t]) - 1 + (n <= 17 ? m[y][t] : x[(blockIdx.x * n + y) * n + t]);
        __syncthreads();
    }
    for (int r = 0; r < n; r++)
        out[(blockIdx.x * n + r) * n + t] = s[r + 1][t + 1];
}

extern "C" __global__ void around(int *out, const int *x, int turns)
{
    __shared__ int s[2][16];
    __shared__ int far[33];
    int t = threadIdx.x, n = blockDim.x, own = x[blockIdx.x * n * n + t], sum = own;
    int local[4] = {own, own + 1, own + 2, own + 3};
    for (int d = 0; d < turns; d++) {
        if (t < 16)
            s[d & 1][t] = own;
        far[t] = own;
        __syncthreads();
        int at = (t + d) % n;
        if (t > d) {
            sum += at < 16 ? s[d & 1][at] : far[at];
            local[d & 3] = d;
        }
        __syncthreads();
    }
    if (turns == 0)
        sum = local[t & 3] - (t & 3);
    out[blockIdx.x * n + t] = sum;
}

extern "C" __global__ void until(int *out, const int *x, int turns)
{
    __shared__ int count[18];
    int t = threadIdx.x, n = blockDim.x, k = 0;
    if (t == 0)
        count[16] = 0;
    __syncthreads();
    while (k < turns && count[16] < 7) {
        k++;
        __syncthreads();
        if (t == n - 1)
            count[16] = k;
        __syncthreads();
    }
    out[blockIdx.x * n + t] = k;
}
