/* Compaction with one atomic a group: the lanes that happen to be active elect a leader.

   vary   n = 3000, 1
   in     x = ints(-99, 99, n)
   inout  y = zeros(n, i4)
   inout  count = zeros(1, i4)
   call   compact(x, y, count, n)
   expect count = (x > 0).sum()
   expect sort(y) = sort(where(x > 0, x, 0))
   expect count_nonzero(y[:count[0]]) == count[0]
*/
__device__ int append(int *count)
{
    unsigned active = __activemask();
    int lane = threadIdx.x & 31, leader = __ffs(active) - 1, base = 0;
    if (lane == leader)
        base = atomicAdd(count, __popc(active));
    base = __shfl_sync(active, base, leader);
    return base + __popc(active & (1u << lane) - 1);
}

extern "C" __global__ void compact(const int *x, int *y, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0)
        y[append(count)] = x[i];
}
