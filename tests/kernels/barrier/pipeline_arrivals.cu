/* Copies whose end arrives at a barrier in shared memory: __pipeline_arrive_on, and a pipeline's arrive_on. Each
   expects one more arrival, so that the threads' own arrivals end the phase.

   block  1 32 100
   let    grid = 2
   let    n = 2 * threads
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   out    z = empty(n, i4)
   let    last = x.reshape(2, threads)[:, ::-1].ravel()
   call   primitives(x, y)
   call   classes(x, z)
   expect y = last
   expect z = last + 1
*/
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>

extern "C" __global__ void primitives(const int *x, int *y)
{
    __shared__ int copy[1024];
    __shared__ __mbarrier_t barrier;
    const int n = blockDim.x, t = threadIdx.x, from = blockIdx.x * n;
    if (t == 0)
        __mbarrier_init(&barrier, n);
    __syncthreads();
    __pipeline_memcpy_async(&copy[t], &x[from + t], sizeof(int));
    __pipeline_arrive_on(&barrier);
    __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, token))
        ;
    y[from + t] = copy[n - 1 - t];
}
extern "C" __global__ void classes(const int *x, int *z)
{
    using namespace nvcuda::experimental;
    __shared__ int copy[1024];
    __shared__ awbarrier barrier;
    const int n = blockDim.x, t = threadIdx.x, from = blockIdx.x * n;
    if (t == 0)
        init(&barrier, n);
    __syncthreads();
    pipeline pipe;
    memcpy_async(copy[t], x[from + t], pipe);
    pipe.arrive_on(barrier);
    barrier.arrive_and_wait();
    z[from + t] = copy[n - 1 - t] + 1;
}
