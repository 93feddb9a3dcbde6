/* Lists in braces without <initializer_list>: loops over them, variables and parameters.

   nvcc
   block  1 32 100
   let    n = 120
   in     x = ints(-99, 99, n)
   out    y = empty((n, 3), i4)
   call   lists(x, y, n)
   expect y = stack([x * 6, x + 4 + 50 + 3, x + 5 + 2 * 7], 1)
*/
static __device__ int sum(std::initializer_list<int> list)
{
    int all = 0;
    for (const int *p = list.begin(); p != list.end(); p++)
        all += *p;
    return all;
}

extern "C" __global__ void lists(const int *x, int (*y)[3], int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i][0] = 0;
    for (int v : {1, 2, 3})
        y[i][0] += v * x[i];
    auto list = {x[i], 4, 50};
    y[i][1] = sum(list) + (int)list.size();
    y[i][2] = sum({x[i], 5, 7, 7});
}
