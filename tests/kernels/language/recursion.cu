/* Recursive functions, single, double and mutual, with divergent depths.

   let    n = 96
   in     x = ints(0, 14, n)
   out    y = empty((n, 4), i4)
   def    fib(v): return v if v < 2 else fib(v - 1) + fib(v - 2)
   def    ack(m, k): return k + 1 if m == 0 else ack(m - 1, 1) if k == 0 else ack(m - 1, ack(m, k - 1))
   call   recursive(x, y, n)
   expect y = [(fib(int(v)), ack(2, int(v) % 5), v % 2, gcd(int(v) * 12, 18)) for v in x]
*/
__device__ int fibonacci(int v)
{
    if (v < 2)
        return v;
    return fibonacci(v - 1) + fibonacci(v - 2);
}

__device__ int ackermann(int m, int k)
{
    if (m == 0)
        return k + 1;
    if (k == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, k - 1));
}

__device__ int odd(int v);
__device__ int even(int v)
{
    return v == 0 ? 1 : odd(v - 1);
}
__device__ int odd(int v)
{
    return v == 0 ? 0 : even(v - 1);
}

template <class T> __device__ T divisor(T a, T b)
{
    return b ? divisor(b, a % b) : a;
}

extern "C" __global__ void recursive(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[4 * i] = fibonacci(x[i]);
    y[4 * i + 1] = ackermann(2, x[i] % 5);
    y[4 * i + 2] = odd(x[i]);
    y[4 * i + 3] = divisor(x[i] * 12, 18);
}
