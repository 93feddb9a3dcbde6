/* One lane sets a variable, all have it by a shuffle: the others' unset ones do no harm.

   vary   n = 1, 40, 1000
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   inout  count = zeros(1, i4)
   let    kept = x[x > 0]
   call   keep(x, y, count, n)
   expect count = kept.size
   expect sort(y[:kept.size]) = sort(kept)
*/
__device__ int next_place(int *count)
{
    unsigned mask = __activemask(), lane = threadIdx.x & 31;
    int leader = __ffs(mask) - 1, first;
    if (lane == leader)
        first = atomicAdd(count, __popc(mask));
    first = __shfl_sync(mask, first, leader);
    return first + __popc(mask & ((1u << lane) - 1));
}

extern "C" __global__ void keep(const int *x, int *y, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0)
        y[next_place(count)] = x[i];
}
