/* Loads from one of two places: LLVM makes one load from a selected address of them, the vectorizer two again.

   vary   n = 1, 2, 100, 1000
   vary   which = 0, 1
   in     a = ints(-99, 99, n)
   in     b = ints(-99, 99, n)
   in     pick = ints(0, 2, n)
   out    y = empty((7, n), i4)
   call   f(a, b, pick, y, n, which)
   let    i = arange(n)
   expect y = array([a[i - 1], a[(i + 1) % n], a if which else b[::-1], where(pick == 1, a, b),
                     choose(pick, [a, b, full(n, a[0])]), where(i % 3 == 0, a[i // 2], b), a[minimum(i, n // 2)]])
*/
extern "C" __global__ void f(const int *a, const int *b, const int *pick, int *y, int n, int which)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = i > 0 ? a[i - 1] : a[n - 1];
    y[n + i] = i < n - 1 ? a[i + 1] : a[0];
    y[2 * n + i] = which ? a[i] : b[n - 1 - i];
    y[3 * n + i] = pick[i] == 1 ? a[i] : b[i];
    y[4 * n + i] = pick[i] == 2 ? a[0] : pick[i] == 1 ? b[i] : a[i];
    y[5 * n + i] = i % 3 == 0 ? a[i / 2] : b[i];
    y[6 * n + i] = a[i < n / 2 ? i : n / 2];
}
