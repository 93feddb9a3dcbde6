/* Atomics on shared memory, their results used, then combined into global memory.

   vary   grid = 1, 4
   let    n = 2000
   in     x = ints(0, 9999, n)
   inout  total = zeros(4, i8)
   inout  rank_ = zeros(n, i4)
   call   combine(x, total, rank_, n)
   expect total[0] = x.sum()
   expect total[1] = x.max()
   expect total[3] = n
   expect sort(rank_) = sort(concatenate([arange(len(range(b, n, grid))) for b in range(grid)]))
   expect total[2] = sum([bitwise_xor.reduce(x[b::grid]) for b in range(grid)])
*/
extern "C" __global__ void combine(const int *x, long long *total, int *rank, int n)
{
    __shared__ unsigned long long sum;
    __shared__ int most, mixed, count;
    int t = threadIdx.x;
    if (t == 0) {
        sum = 0;
        most = mixed = count = 0;
    }
    __syncthreads();
    for (int i = t * gridDim.x + blockIdx.x; i < n; i += blockDim.x * gridDim.x) {
        atomicAdd(&sum, (unsigned long long)x[i]);
        atomicMax(&most, x[i]);
        atomicXor(&mixed, x[i]);
        rank[i] = atomicAdd(&count, 1);
    }
    __syncthreads();
    if (t == 0) {
        atomicAdd((unsigned long long *)&total[0], sum);
        atomicMax(&total[1], (long long)most);
        atomicAdd((unsigned long long *)&total[2], (unsigned long long)mixed);
        atomicAdd((unsigned long long *)&total[3], (unsigned long long)count);
    }
}
