/* Barriers in shared memory where arriving and waiting are two steps: all threads in turns, one warp
   that leaves, a producer that waits by parity.

   block  64 256
   let    n = threads
   let    t = arange(n)
   let    grid = 2
   out    y = empty((2, n, 7), i4)
   call   f(y)
   expect y[:, :, :5] = [stack([(n - 1 - t) * 10 + r for r in range(5)], 1)] * 2
   expect y[:, :, 5] = [where(t < 32, 0, (t ^ 32) // 64 * 64 + 100)] * 2
   expect y[:, :, 6] = 1
*/
#include <cuda_awbarrier.h>
#include <cuda_awbarrier_primitives.h>
using nvcuda::experimental::awbarrier;

extern "C" __global__ void f(int *y)
{
    __shared__ awbarrier all, some;
    __shared__ __mbarrier_t raw;
    __shared__ int s[256], left[256];
    int t = threadIdx.x, n = blockDim.x, sum = 0;
    if (t == 0) {
        init(&all, n);
        init(&some, n);
        __mbarrier_init(&raw, n);
    }
    __syncthreads();
    y += (blockIdx.x * n + t) * 7;
    for (int r = 0; r < 5; r++) {
        s[t] = 10 * t + r;
        awbarrier::arrival_token token = all.arrive();
        sum += r;
        all.wait(token);
        y[r] = s[n - 1 - t];
        all.arrive_and_wait();
    }
    if (t < 32) {
        some.arrive_and_drop();
        y[5] = 0;
    } else {
        left[t] = 100 + t / 64 * 64;
        some.arrive_and_wait();
        int other = t ^ 32;
        y[5] = other >= 32 ? left[other] : 100;
        some.arrive_and_wait();
    }
    __mbarrier_arrive(&raw);
    while (!__mbarrier_test_wait_parity(&raw, false))
        ;
    y[6] = sum == 10 && __mbarrier_test_wait_parity(&raw, false);
}
