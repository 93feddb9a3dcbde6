/* Device globals: initialised, read and written by several launches, fetched afterwards.

   block  1 33 256
   let    n = 100
   global total = array([5])
   global table = zeros(100, i4)
   global ratio = array([0.5])
   out    y = empty(n, f8)
   call   first(n)
   call   second[1, 1](n)
   call   third(y, n)
   expect table = arange(100) * 3
   expect total = 5 + 3 * 99 * 100 // 2
   expect ratio = 0.25
   expect y = arange(100) * 3 * 0.25 + 5 + 3 * 99 * 100 // 2 + 42
*/
__device__ long long total = 1;
__device__ int table[100];
__device__ double ratio = 1.0;
__device__ const int answer = 42;

extern "C" __global__ void first(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        table[i] = i * 3;
}

extern "C" __global__ void second(int n)
{
    for (int k = 0; k < n; k++)
        total += table[k];
    ratio *= 0.5;
}

extern "C" __global__ void third(double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = table[i] * ratio + total + answer;
}
