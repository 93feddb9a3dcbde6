/* Values that a loop hands on and nobody has set before its first iteration, which does not use them: the same in all
   threads, evenly spaced and different ones.

   let    n = 500
   vary   m = 1, 9
   in     x = ints(-9, 9, n + 9)
   out    y = empty(n, i4)
   call   f(x, y, n, m)
   def    term(last, k): return last * 3 + (last > 4) + x[abs(last) & 7] + where(last > 2, last, k) + abs(last)
   def    sums(i):
              window = array([x[i + k] for k in range(m)], i4)
              return sum([term(x[k - 1], k) + term(i + k - 1, k) + term(window[k - 1], k) for k in range(1, m)])
   expect y = [sums(i) for i in range(n)]
*/
__device__ int term(const int *x, int last, int k)
{
    int sum = last * 3;
    if (last > 4)
        sum++;
    sum += x[abs(last) & 7];
    return sum + (last > 2 ? last : k) + abs(last);
}

extern "C" __global__ void f(const int *x, int *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, same, spaced, other, sum = 0;
    if (i >= n)
        return;
    for (int k = 0; k < m; k++) {
        if (k > 0)
            sum += term(x, same, k) + term(x, spaced, k) + term(x, other, k);
        same = x[k];
        spaced = i + k;
        other = x[i + k];
    }
    y[i] = sum;
}
