/* Local structs are copied through references, some of which lie across two pages of the stack.

   block  32
   in     x = ints(0, 99, threads)
   out    y = empty(threads, i4)
   call   f(x, y)
   expect y = 101 * 102 // 2 + 202 * x
*/
struct row {
    int v[15];
};

/* Not inlined: where `above` points is only known when it runs. */
__device__ int sum(const row &above, int depth)
{
    row mine = above;
    mine.v[0]++;
    return mine.v[0] + mine.v[14] + (depth ? sum(mine, depth - 1) : 0);
}

extern "C" __global__ void f(const int *x, int *y)
{
    row first;
    for (int k = 0; k < 15; k++)
        first.v[k] = x[threadIdx.x];
    y[threadIdx.x] = sum(first, 100);
}
