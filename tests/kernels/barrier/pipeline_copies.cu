/* Copies to shared memory that are asynchronous on GPUs: the pipeline's primitives in a tile that is double
   buffered, with zeros for what is not there, and a group's memcpy_async in bytes, elements and odd pieces.

   vary   n = 1, 64, 500
   block  64
   let    grid = 1
   in     x = ints(-99, 99, n, i4)
   out    y = empty(n, i4)
   out    tail = empty((3, 4), u4)
   in     words = ints(1, 2**32 - 1, 4, u4)
   let    m = 77
   in     letters = ints(0, 255, 200, u1)
   out    z = empty((3, 100), u1)
   def    zeroed(k): return concatenate([words.view(u1)[:16 - k], zeros(k, u1)]).view(u4)
   call   neighbours(x, y, n)
   call   zero_fill(words, tail)
   call   pieces(letters, z, m)
   expect y = x + append(x, 0)[1:]
   expect tail = stack([words, zeroed(4), zeroed(11)])
   expect z[0, :77] = letters[:77]
   expect z[1, :75] = letters[3:78]
   expect z[2, :96] = letters[4:100]
*/
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

/* One block goes through the data tile by tile, the next tile under way. */
extern "C" __global__ void neighbours(const int *x, int *y, int n)
{
    __shared__ int tile[2][64];
    int t = threadIdx.x;
    if (t < n)
        __pipeline_memcpy_async(&tile[0][t], &x[t], sizeof(int));
    __pipeline_commit();
    for (int at = 0, now = 0; at < n; at += 64, now ^= 1) {
        if (at + 64 + t < n)
            __pipeline_memcpy_async(&tile[now ^ 1][t], &x[at + 64 + t], sizeof(int));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        int next = at + t + 1 >= n ? 0 : t < 63 ? tile[now][t + 1] : tile[now ^ 1][0];
        if (at + t < n)
            y[at + t] = tile[now][t] + next;
        __syncthreads();
    }
}
extern "C" __global__ void zero_fill(const uint4 *words, uint4 *tail)
{
    __shared__ uint4 copy[3];
    if (threadIdx.x < 3) {
        __pipeline_memcpy_async(&copy[threadIdx.x], words, 16,
                                threadIdx.x == 0 ? 0 : threadIdx.x == 1 ? 4 : 11);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        tail[threadIdx.x] = copy[threadIdx.x];
    }
}
extern "C" __global__ void pieces(const unsigned char *letters, unsigned char *z, int m)
{
    __shared__ __align__(16) unsigned char copy[3][100];
    cg::thread_block block = cg::this_thread_block();
    for (int i = threadIdx.x; i < 300; i += blockDim.x)
        copy[i / 100][i % 100] = 0;
    block.sync();
    auto tile = cg::tiled_partition<32>(block);
    cg::memcpy_async(block, copy[0], letters, m);
    cg::memcpy_async(block, copy[1], m - 2, letters + 3, m);
    cg::wait_prior<1>(block);
    if (threadIdx.x < 32) {
        cg::memcpy_async(tile, (int *)copy[2], 24, (const int *)(letters + 4), 30);
        cg::wait(tile);
    }
    cg::wait(block);
    for (int i = threadIdx.x; i < 300; i += blockDim.x)
        z[i] = copy[i / 100][i % 100];
}
