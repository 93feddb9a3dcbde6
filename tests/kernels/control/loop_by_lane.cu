/* Divergent loops as scalar code, lane after lane: what they read from outside, each way out of them and what they leave
   behind are each lane's own.

   host
   options --divergent-loops=scalar
   vary   n = 1, 100, 1000
   in     length = ints(0, 40, n)
   in     x = ints(-3, 90, (n, 41))
   let    i = arange(n)
   let    inside = arange(41)[None] < length[:, None]
   let    found = inside & (x == 7)
   let    wild = inside & (x == -1)
   def    first(hits): return where(hits.any(1), hits.argmax(1), 99)
   let    stop = minimum(minimum(first(found), first(wild)), length)
   let    summed = (x * (arange(41)[None] < stop[:, None])).sum(1)
   out    at = empty(n, i4)
   out    why = empty(n, i4)
   out    total = empty(n, i8)
   call   find(length, x, at, why, total, n)
   expect at = stop
   expect why = where(stop == length, 3, where(first(found) < first(wild), 1, 2)) + 10 * (i % bx)
   expect total = summed + (stop == length) * 1000

   let    divisor = where(inside & (x != 0), x, 9999)
   let    defined = ~(inside & (x == 0)).any(1)
   out    quotient = empty(n, i4)
   call   divide(length, x, quotient, n)
   expect quotient[defined] = (5040 // abs(divisor) * sign(divisor)).sum(1)[defined]

   inout  bins = zeros(94, i4)
   call   count(length, x, bins, n)
   expect bins = bincount((x[inside] + 3), minlength=94)

   out    sorted = empty((n, 8), i4)
   call   insert(x, sorted, n)
   expect sorted = sort(x[:, :8], axis=1)
*/
extern "C" __global__ void find(const int *length, const int *x, int *at, int *why, long long *total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0, reason = 3;
    if (i >= n)
        return;
    long long sum = 0;
    const int *row = x + 41 * i;
    for (; k < length[i]; k++) {
        if (row[k] == 7) {
            reason = 1;
            goto done;
        }
        if (row[k] == -1) {
            reason = 2;
            goto done;
        }
        sum += row[k];
    }
    sum += 1000;
done:
    at[i] = k;
    why[i] = reason + 10 * threadIdx.x;
    total[i] = sum;
}

/* Division by zero does not trap. */
extern "C" __global__ void divide(const int *length, const int *x, int *quotient, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    if (i >= n)
        return;
    for (int k = 0; k < length[i]; k++)
        sum += 5040 / x[41 * i + k];
    quotient[i] = sum;
}

/* Loops within loops, shared memory between barriers, atomic operations on both kinds. */
extern "C" __global__ void count(const int *length, const int *x, int *bins, int n)
{
    __shared__ int mine[94];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = threadIdx.x; k < 94; k += blockDim.x)
        mine[k] = 0;
    __syncthreads();
    if (i < n)
        for (int k = 0; k < length[i];) {
            int end = min(k + (i & 3) + 1, length[i]);
            for (; k < end; k++)
                atomicAdd(&mine[x[41 * i + k] + 3], 1);
        }
    __syncthreads();
    for (int k = threadIdx.x; k < 94; k += blockDim.x)
        if (mine[k])
            atomicAdd(&bins[k], mine[k]);
}

/* An array of each thread. */
extern "C" __global__ void insert(const int *x, int *sorted, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, a[8];
    if (i >= n)
        return;
    for (int k = 0; k < 8; k++) {
        int v = x[41 * i + k], j = k;
        for (; j > 0 && a[j - 1] > v; j--)
            a[j] = a[j - 1];
        a[j] = v;
    }
    for (int k = 0; k < 8; k++)
        sorted[8 * i + k] = a[k];
}
