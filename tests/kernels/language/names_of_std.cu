/* std::'s functions without a header.

   host
   let    n = 300
   in     x = floats(n, f4, 0.1, 5)
   out    y = empty((n, 4), f4)
   call   f(x, y, n)
   near   1e-6 y = stack([exp(x), sqrt(x), maximum(x, 2), minimum(x, 2)], 1)
*/
extern "C" __global__ void f(const float *x, float *y, int n)
{
    constexpr int two = std::max(1, 2);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[4 * i] = std::exp(x[i]);
    y[4 * i + 1] = std::sqrt(std::abs(-x[i]));
    y[4 * i + 2] = std::max(x[i], (float)two);
    y[4 * i + 3] = std::min(x[i], 2.f, [](float a, float b) { return a < b; });
}
