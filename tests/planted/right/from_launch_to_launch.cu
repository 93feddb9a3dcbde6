/* One launch writes what other threads of the next read and write, and memory comes again for something else.

   block  32
   let    grid = 4
   let    n = 128
   inout  x = arange(n, dtype=i4)
   inout  y = zeros(n, i4)
   call   f(x, y, n)
   call   f(y, x, n)
   do     a = cuda.mem_alloc(512)
   call   f(x, a, n)
   do     a.free(); b = cuda.mem_alloc(512)
   call   f(x, b, n)
   call   f(b, y, n)
   expect x = (arange(n) + 2) % n
   expect y = (arange(n) + 4) % n
*/
extern "C" __global__ void f(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[(i + 1) % n];
}
