/* clock64 and clock do not run backwards within a thread, also across a barrier.

   block  1 32 33 256
   let    grid = 2
   let    n = 2 * threads
   out    y = empty((n, 3), i8)
   call   watch(y)
   expect (y[:, 1] >= y[:, 0]).all()
   expect (y[:, 2] > 0).all()
*/
extern "C" __global__ void watch(long long *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    clock_t early = clock();
    long long start = clock64();
    __syncthreads();
    y[3 * i] = start;
    y[3 * i + 1] = clock64();
    y[3 * i + 2] = (unsigned)(clock() - early) + 1LL;
}
