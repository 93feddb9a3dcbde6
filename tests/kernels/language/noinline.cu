/* Not inlined functions with loops, arrays and several results, called by some threads only and with
   other threads' arguments in a loop.

   let    n = 130
   in     x = ints(1, 60, n)
   out    y = empty(n, i4)
   def    digits(v, b):
              r = []
              while v: r.append(v % b); v //= b
              return r
   def    f(v):
              if v % 4 == 0: return 0
              return sum([max(digits(v, b)) * 100 ** (b % 3) for b in range(2, 2 + v % 5)] or [0])
   call   bases(x, y, n)
   expect y = [f(int(v)) for v in x]
*/
struct number {
    int digit[8];
    int length;
};

__device__ __noinline__ number convert(int v, int base)
{
    number r;
    r.length = 0;
    while (v) {
        r.digit[r.length++] = v % base;
        v /= base;
    }
    return r;
}

__device__ __noinline__ int largest(const number &r)
{
    int best = 0;
    for (int k = 0; k < r.length; k++)
        if (r.digit[k] > best)
            best = r.digit[k];
    return best;
}

extern "C" __global__ void bases(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = 0;
    if (x[i] % 4) {
        for (int base = 2; base < 2 + x[i] % 5; base++) {
            int weight = 1;
            for (int k = 0; k < base % 3; k++)
                weight *= 100;
            sum += largest(convert(x[i], base)) * weight;
        }
    }
    y[i] = sum;
}
