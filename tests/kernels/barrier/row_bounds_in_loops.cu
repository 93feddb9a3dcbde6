/* Threads below and from a number on that a loop with barriers counts, up, down and in several loops, as in trees and scans
   whose steps come from blockDim.x; with returns, and with conditions on both sides.

   block  1 2 16 31 32 33 64 100 128 256 1000 1024
   let    n = bx
   in     x = ints(-1000, 1000, n, i4)
   out    y0 = empty(1, i4)
   out    y1 = empty(1, i4)
   out    y2 = empty(n, i4)
   out    y3 = empty(n, i4)
   out    y4 = empty(n, i4)
   out    y5 = empty(n, i4)
   let    t = arange(n)
   def    halves(v): return v if len(v) == 1 else halves(v[:len(v) // 2] + v[len(v) // 2:2 * (len(v) // 2)])
   def    window(k): return sum([where((t >= a) & (t < n - a), t, 0) for a in range(k)], axis=0)
   call   tree[1, None](y0, x)
   call   tree_of_all[1, None](y1, x)
   call   scan[1, None](y2, x)
   call   shrinking[1, None](y3, x, 9)
   call   ends[1, None](y4, x, n // 2)
   call   two_ways[1, None](y5, x)
   expect y0 = halves(x)
   expect y1 = sum(x)
   expect y2 = cumsum(x)
   expect y3 = x + window(9)
   expect y4 = where(t < n // 2, x + 3 * t, x)
   expect y5 = x + sum([where(t < a, 1, -1) for a in range(1, 40, 7)], axis=0)
*/
extern "C" __global__ void tree(int *y, const int *x)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0)
        y[0] = s[0];
}

extern "C" __global__ void tree_of_all(int *y, const int *x)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int left = blockDim.x; left > 1;) {
        int half = (left + 1) / 2;
        if (t < half && t + half < left)
            s[t] += s[t + half];
        left = half;
        __syncthreads();
    }
    if (t == 0)
        y[0] = s[0];
}

extern "C" __global__ void scan(int *y, const int *x)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d <<= 1) {
        int before = 0;
        if (t >= d)
            before = s[t - d];
        __syncthreads();
        s[t] += before;
        __syncthreads();
    }
    y[t] = s[t];
}

extern "C" __global__ void shrinking(int *y, const int *x, int steps)
{
    __shared__ int s[1024];
    int t = threadIdx.x, n = blockDim.x;
    s[t] = x[t];
    __syncthreads();
    for (int k = 0; k < steps; k++) {
        if (t >= k && t < n - k)
            s[t] += t;
        __syncthreads();
    }
    y[t] = s[n - 1 - (n - 1 - t)];
}

extern "C" __global__ void ends(int *y, const int *x, int end)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = x[t];
    y[t] = x[t];
    __syncthreads();
    if (t >= end)
        return;
    for (int k = 0; k < 3; k++) {
        if (t < end - k + k * k)
            s[t] += t;
        __syncthreads();
    }
    y[t] = s[t];
}

extern "C" __global__ void two_ways(int *y, const int *x)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int k = 1; k < 40; k += 7) {
        if (t < k)
            s[t] += 1;
        else
            s[t] -= 1;
        __syncthreads();
    }
    y[t] = s[t];
}
