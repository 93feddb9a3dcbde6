/* Functions that are not inlined, recursive or called through pointers, ask which thread they run for, use shared
   memory of both kinds, the heap, functions of the C library, and flags as arguments.

   block  1 33 8x4x2
   let    n = threads
   let    grid = (3, 2)
   let    t = arange(n)
   let    b = arange(6)
   out    y = empty((6, n), i4)
   call   sums[grid, block, 4 * n](y)
   let    place = t % bx + 10 * (t // bx % by) + 100 * (t // bx // by) + 1000 * bx + 2000 * by + 3000 * bz
   let    where_ = b % 3 + 5 * (b // 3) + 7 * 3 + 11 * 2
   expect y = (place[None, :] + 3 * where_[:, None]) * (t % 4 + 1)
   out    z = empty((6, n), i4)
   call   pointers[grid, block, 4 * n](z, 2)
   expect z = where(t % 2, place, t[::-1] + 5) + zeros((6, 1), i4)
   out    f = empty((6, n), f8)
   call   powers[grid, block](f)
   near   1e-15 f = array([1, 1, 2, 6, 24.])[t % 5] + (t % 5) + zeros((6, 1))
*/
extern __shared__ int dynamic[];
__shared__ int fixed[64];

__device__ int number()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

__device__ int thread()
{
    return threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * blockDim.x + 2000 * blockDim.y +
           3000 * blockDim.z;
}

__device__ int repeated(int depth, int *scratch)
{
    int grid = blockIdx.x + 5 * blockIdx.y + 7 * gridDim.x + 11 * gridDim.y;
    *scratch += grid;
    return thread() + (depth ? repeated(depth - 1, scratch) : 3 * grid);
}

extern "C" __global__ void sums(int *y)
{
    int i = number(), scratch = 0, depth = i % 4, grid = blockIdx.x + 5 * blockIdx.y + 7 * gridDim.x + 11 * gridDim.y;
    int r = repeated(depth, &scratch);
    y[(blockIdx.x + 3 * blockIdx.y) * blockDim.x * blockDim.y * blockDim.z + i] =
        r + 3 * (scratch - grid);
}

__device__ int from_shared(int by, bool odd)
{
    int n = blockDim.x * blockDim.y * blockDim.z;
    return dynamic[n - 1 - number()] + by + (odd ? fixed[number()] - fixed[0] : 3);
}

__device__ int from_thread(int by, bool odd)
{
    int *heap = (int *)malloc(4);
    *heap = odd ? thread() : by;
    int r = *heap;
    free(heap);
    return r;
}

extern "C" __global__ void pointers(int *z, int by)
{
    int i = number();
    dynamic[i] = fixed[i] = i;
    __syncthreads();
    int (*f)(int, bool) = i % 2 ? from_thread : from_shared;
    z[(blockIdx.x + 3 * blockIdx.y) * blockDim.x * blockDim.y * blockDim.z + i] = f(by, i % 2);
}

__device__ double power(double x, int n)
{
    return n ? 1 + power(x, n - 1) : tgamma(x);
}

extern "C" __global__ void powers(double *f)
{
    int i = number();
    f[(blockIdx.x + 3 * blockIdx.y) * blockDim.x * blockDim.y * blockDim.z + i] = power(1 + i % 5, i % 5);
}
