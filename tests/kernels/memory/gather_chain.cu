/* Pointer chasing: each thread follows a chain of indices to its end.

   let    n = 600
   in     next = where(arange(n) % 37 == 0, -1, maximum(arange(n) - ints(1, 5, n), 0)).astype(i4)
   out    y = empty((n, 2), i4)
   def    f(i):
              k = 0
              while next[i] >= 0: i = next[i]; k += 1
              return i, k
   call   follow(next, y, n)
   expect y = [f(i) for i in range(n)]
*/
extern "C" __global__ void follow(const int *next, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = i, k = 0;
    while (next[at] >= 0) {
        at = next[at];
        k++;
    }
    y[2 * i] = at;
    y[2 * i + 1] = k;
}
