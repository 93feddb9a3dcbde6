/* CUB's block reduction and scan, twice with one temporary storage and a barrier between.

   block  128
   options -std=c++17 -I{cub}
   in     x = ints(0, 9, 128)
   out    y = empty(128, i4)
   out    z = empty(1, i4)
   call   f(x, y, z)
   expect y = cumsum(x)
   expect z = x.sum()
*/
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

extern "C" __global__ void f(const int *x, int *y, int *z)
{
    typedef cub::BlockScan<int, 128> Scan;
    typedef cub::BlockReduce<int, 128> Reduce;
    __shared__ union {
        Scan::TempStorage scan;
        Reduce::TempStorage reduce;
    } room;
    int v, sum;
    Scan(room.scan).InclusiveSum(x[threadIdx.x], v);
    y[threadIdx.x] = v;
    __syncthreads();
    sum = Reduce(room.reduce).Sum(x[threadIdx.x]);
    if (threadIdx.x == 0)
        *z = sum;
}
