/* Shared arrays that belong to function templates: one for each type, not one for all.

   block  1 32 128
   let    n = threads
   out    y = empty((n, 2), f8)
   let    grid = 1
   call   both(y)
   expect y = stack([arange(n)[::-1] * 2, arange(n)[::-1] * 0.5], 1)
*/
template <class T> __device__ T *buffer()
{
    __shared__ T storage[128];
    return storage;
}

extern "C" __global__ void both(double *y)
{
    int t = threadIdx.x;
    buffer<int>()[t] = 2 * t;
    buffer<double>()[t] = 0.5 * t;
    __syncthreads();
    y[2 * t] = buffer<int>()[blockDim.x - 1 - t];
    y[2 * t + 1] = buffer<double>()[blockDim.x - 1 - t];
}
