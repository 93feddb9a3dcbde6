/* Dynamic shared memory that is too small for CUB's temporary storage.

   block  128
   options -std=c++17 -I{cub}
   in     x = ones(128, i4)
   out    y = empty(128, i4)
   call   f[1, 128, 8192 if right else 16](x, y)
   expect y = arange(128) + 1
   report memory write: space == "shared"
*/
#include <cub/block/block_scan.cuh>

extern "C" __global__ void f(const int *x, int *y)
{
    typedef cub::BlockScan<int, 128, cub::BLOCK_SCAN_RAKING> Scan;
    extern __shared__ __align__(16) char room[];
    int v;
    Scan(*(Scan::TempStorage *)room).InclusiveSum(x[threadIdx.x], v); // FAULT
    y[threadIdx.x] = v;
}
