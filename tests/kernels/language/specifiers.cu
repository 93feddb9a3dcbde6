/* __block_size__, __inline_hint__ and __nv_pure__.

   nvcc
   block  64x2
   let    grid = 3
   in     x = ints(-99, 99, 384)
   out    y = empty(384, i4)
   call   sized(x, y)
   call   clustered(y)
   expect y = 3 * x + 4 + 1
*/
__inline_hint__ __device__ int thrice(int v)
{
    return 3 * v;
}
static __device__ __nv_pure__ __noinline__ int four_more(int v)
{
    return v + 4;
}
static __device__ unsigned number()
{
    return (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
extern "C" __global__ void __block_size__((64, 2, 1)) sized(const int *x, int *y)
{
    y[number()] = four_more(thrice(x[number()]));
}
extern "C" __global__ void __block_size__((64, 2, 1), (1, 1, 1)) clustered(int *y)
{
    y[number()]++;
}
