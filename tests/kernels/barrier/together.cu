/* Loops with barriers that all threads of a block go through together, by counters in ints, longs and pointers that the block has in
   common; beside them loops whose turns depend on the block, on a vote, on a row of threads, and threads that end before, within or
   behind the loop.

   block  1 16 32 33 64 96 256 16x4 8x8x2 32x3 5x7
   vary   turns = 0, 1, 5
   let    grid = 3
   let    n = threads
   in     x = ints(-9, 9, 3 * n, i4)
   let    rows = x.reshape(3, n)
   def    turned(a, times):
              for k in range(times):
                  a = a + roll(a, -(k + 1))
              return a
   out    a = empty(3 * n, i4)
   out    b = empty(3 * n, i4)
   out    c = empty(3 * n, i4)
   out    d = empty(3 * n, i4)
   out    e = empty(3 * n, i4)
   out    f = empty(3 * n, i4)
   call   counted(a, x, turns, n)
   call   by_block(b, x, i8(turns))
   call   voted(c, x, turns)
   call   some_write(d, x, turns, n // 2)
   call   some_end(e, x, turns, n // 2)
   call   walked(f, x, turns)
   expect a = wrap(concatenate([turned(r.astype(i8), turns) for r in rows]), i4)
   expect b = wrap(concatenate([turned(r.astype(i8), min(turns, k + 1)) for k, r in enumerate(rows)]), i4)
   expect c = concatenate([r * min(turns, 3) for r in rows])
   expect d = wrap(concatenate([where(arange(n) < n // 2, turned(r.astype(i8), turns), -1) for r in rows]), i4)
   expect e = concatenate([where(arange(n) < n - n // 2, r * turns + arange(n), -1) for r in rows])
   expect f = concatenate([r * turns + turns * (turns - 1) // 2 for r in rows])
*/
__device__ int own() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

__device__ int all() { return blockDim.x * blockDim.y * blockDim.z; }

extern "C" __global__ void counted(int *out, const int *x, int turns, int n)
{
    __shared__ int s[256];
    int t = own(), b = blockIdx.x * n;
    s[t] = x[b + t];
    __syncthreads();
    for (int k = 1; k <= turns; k++) {
        int v = s[(t + k) % n];
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    out[b + t] = s[t];
}

/* As many turns as the block's number, counted down in a long. */
extern "C" __global__ void by_block(int *out, const int *x, long long turns)
{
    __shared__ int s[256];
    int t = own(), n = all(), b = blockIdx.x * n;
    s[t] = x[b + t];
    long long left = turns < blockIdx.x + 1 ? turns : blockIdx.x + 1;
    int k = 0;
    while (left-- > 0) {
        __syncthreads();
        int v = s[(t + ++k) % n];
        __syncthreads();
        s[t] += v;
    }
    __syncthreads();
    out[b + t] = s[t];
}

/* Until some thread says that it is enough. */
extern "C" __global__ void voted(int *out, const int *x, int turns)
{
    int t = own(), n = all(), b = blockIdx.x * n, sum = 0, k = 0;
    while (__syncthreads_and(k < turns) && !__syncthreads_or(t == n - 1 && k == 3)) {
        sum += x[b + t];
        k++;
    }
    out[b + t] = sum;
}

/* Half of the threads write, and the whole block ends in the same turn. */
extern "C" __global__ void some_write(int *out, const int *x, int turns, int half)
{
    __shared__ int s[256];
    int t = own(), n = all(), b = blockIdx.x * n;
    s[t] = x[b + t];
    out[b + t] = -1;
    for (int k = 0;; k++) {
        __syncthreads();
        if (k == turns) {
            if (t < half)
                out[b + t] = s[t];
            return;
        }
        int v = s[(t + k + 1) % n];
        __syncthreads();
        s[t] += v;
    }
}

/* The last threads end before the barriers, which do not wait for them. */
extern "C" __global__ void some_end(int *out, const int *x, int turns, int half)
{
    __shared__ int s[256];
    int t = own(), n = all(), b = blockIdx.x * n;
    out[b + t] = -1;
    if (t >= n - half)
        return;
    s[t] = t;
    for (int k = 0; k < turns; k++) {
        __syncthreads();
        int v = s[t];
        __syncthreads();
        s[t] = v + x[b + t];
    }
    __syncthreads();
    out[b + t] = s[t];
}

/* A pointer into shared memory that all move alike, and rows that each have turns of their own in between. */
extern "C" __global__ void walked(int *out, const int *x, int turns)
{
    __shared__ int s[64];
    int t = own(), n = all(), b = blockIdx.x * n, sum = 0;
    if (t == 0)
        for (int k = 0; k < 64; k++)
            s[k] = k;
    __syncthreads();
    for (const int *p = s; p < s + turns; p++) {
        int v = 0;
        for (int r = 0; r <= (int)threadIdx.y; r++)
            v = *p;
        sum += v + x[b + t];
        __syncthreads();
        if (t == n - 1)
            s[63]++;
        __syncthreads();
    }
    out[b + t] = sum;
}
