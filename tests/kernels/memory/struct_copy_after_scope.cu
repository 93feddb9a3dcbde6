/* Bytes that are copied on after the scope of what they come from, in a function that is not inlined.

   block  1 33 64
   let    n = 2 * threads
   in     x = ints(-1000, 1000, 4)
   out    y = empty((n, 4), i4)
   def    row(i): return [x[(k - i) % 4] + i for k in range(4)]
   call   f[2](x, y)
   expect y = [row(i) for i in range(n)]
*/
struct __align__(16) bytes {
    char b[16];
};

__device__ void copy(void *to, const void *from)
{
    bytes between = *(const bytes *)from;
    *(bytes *)to = between;
}

__device__ void turned(const int *x, int4 *y, int i, int depth)
{
    if (depth > 0) {
        turned(x, y, i, depth - 1);
        return;
    }
    int4 *to = y + i;
    bytes kept;
    {
        __align__(16) int part[4];
        for (int k = 0; k < 4; k++)
            part[(k + i) % 4] = x[k] + i;
        copy(&kept, part);
    }
    copy(to, &kept);
}

extern "C" __global__ void f(const int *x, int4 *y)
{
    turned(x, y, blockIdx.x * blockDim.x + threadIdx.x, threadIdx.x % 3);
}
