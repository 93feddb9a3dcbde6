/* Lambdas that capture by value, by reference and by copy into a mutable one; passed to a template.

   let    n = 140
   in     x = ints(0, 30, n)
   out    y = empty((n, 3), i4)
   call   lambdas(x, y, 7, n)
   expect y = stack([x * (x + 1) // 2 * 7, 3 * x + 3, where(x > 15, x - 7, x + 7)], 1)
*/
template <class F> __device__ void repeat(int count, F f)
{
    for (int k = 1; k <= count; k++)
        f(k);
}

extern "C" __global__ void lambdas(const int *x, int *y, int factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = 0, v = x[i];
    repeat(v, [&sum, factor](int k) { sum += k * factor; });
    auto next = [v]() mutable { return v += 1; };
    auto choose = [=](bool more) -> int { return more ? v - factor : v + factor; };
    y[3 * i] = sum;
    int a = next();
    a += next();
    y[3 * i + 1] = a + v;
    y[3 * i + 2] = choose(v > 15);
}
