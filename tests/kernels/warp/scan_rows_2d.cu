/* Scans of rows in blocks whose rows are not warps: some shuffles, and those in a loop that rows leave apart.

   block  32 8x8 16x3 4x40 1x5
   let    w = min(bx, 8)
   let    n = threads
   let    grid = 1
   in     x = ints(-9, 9, n)
   out    few = empty(n, i4)
   out    many = empty(n, f8)
   def    scan(v): return concatenate([cumsum(r) for r in v.reshape(-1, w)])
   call   rows(x, few, many, w)
   expect few = scan(x)
   expect many = x + (scan(x) + x * 2) * (arange(n) // bx % 3)
*/
template <class T> __device__ T scan(unsigned mask, T v, int lane, int width)
{
#pragma unroll
    for (int k = 1; k < 8; k *= 2) {
        T left = __shfl_sync(mask, v, max(lane - k, 0), width);
        if (lane >= k)
            v += left;
    }
    return v;
}

extern "C" __global__ void rows(const int *x, int *few, double *many, int width)
{
    int t = threadIdx.y * blockDim.x + threadIdx.x, lane = threadIdx.x % width;
    unsigned all = __activemask(), row = __match_any_sync(all, t / width);
    int mine = x[t];
    few[t] = scan(row, mine, lane, width);
    double sum = mine;
    for (int k = 0; k < threadIdx.y % 3; k++) {
        sum += scan<double>(row, mine, lane, width);
        sum += __shfl_xor_sync(row, (double)mine, 0, width) + __shfl_sync(row, mine, lane, width);
        sum += scan(row, k, lane, width) - __reduce_add_sync(row, k) / __popc(row) * (lane % width + 1);
        sum += __shfl_up_sync(row, k, 1, width) - k + __shfl_down_sync(row, k, 1, width) - k;
    }
    many[t] = sum;
}
