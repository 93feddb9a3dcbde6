/* Loops that count down to zero with an unsigned counter, in both idioms.

   let    n = 200
   in     x = ints(0, 33, n, u4)
   in     t = ints(-9, 9, 34)
   out    y = empty(n, i4)
   def    f(v): return sum([(k + 1) * int(t[k]) for k in range(v)] or [0]) * 2
   call   down(x, t, y, n)
   expect y = [f(int(v)) for v in x]
*/
extern "C" __global__ void down(const unsigned *x, const int *t, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int s = 0;
    for (unsigned k = x[i]; k-- > 0;)
        s += (k + 1) * t[k];
    for (unsigned k = x[i] - 1; k != 0xffffffffu; k--)
        s += (k + 1) * t[k];
    y[i] = s;
}
