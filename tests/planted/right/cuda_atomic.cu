/* cuda::atomic_ref: what is written before a release is read behind an acquire, and counts need no order.

   options -std=c++17 -I{cub}
   block  32
   let    grid = 5
   inout  data = zeros((grid + 1, 32), i4)
   inout  flag = zeros(grid + 1, i4)
   inout  count = zeros(1, i4)
   call   f(data, flag, count)
   expect data = arange(grid + 1)[:, None] * ones(32, i4)
   expect count = 160
*/
#include <cuda/atomic>

extern "C" __global__ void f(int *data, int *flag, int *count)
{
    int t = threadIdx.x, b = blockIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_device> before(flag[b]), mine(flag[b + 1]), all(*count);
    if (b > 0 && t == 0)
        while (before.load(cuda::memory_order_acquire) == 0)
            ;
    __syncthreads();
    data[(b + 1) * 32 + t] = data[b * 32 + t] + 1;
    __syncthreads();
    if (t == 0)
        mine.store(1, cuda::memory_order_release);
    all.fetch_add(1, cuda::memory_order_relaxed);
}
