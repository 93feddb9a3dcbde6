/* Function templates over types and values, explicit and deduced, specialised and recursive.

   let    n = 150
   in     x = ints(-50, 50, n)
   in     d = floats(n, f8)
   out    y = empty((n, 4), i4)
   out    e = empty(n, f8)
   call   templates(x, d, y, e, n)
   expect y = stack([clip(x, -9, 9), x ** 5, where(x < 0, -1, 1) * (x != 0), x * 8 + 36], 1)
   expect e = clip(d, -0.5, 0.25)
*/
template <class T> __device__ T clamp(T v, T low, T high)
{
    return v < low ? low : v > high ? high : v;
}

template <int N> __device__ int power(int v)
{
    return v * power<N - 1>(v);
}
template <> __device__ int power<0>(int)
{
    return 1;
}

template <typename T, int COUNT = 8> struct summer {
    T total;
    __device__ summer(T start) : total(start)
    {
    }
    __device__ T run(T v)
    {
#pragma unroll
        for (int k = 1; k <= COUNT; k++)
            total += v + k;
        return total;
    }
};

template <class T> __device__ int sign(T v);
template <> __device__ int sign(int v)
{
    return (v > 0) - (v < 0);
}

extern "C" __global__ void templates(const int *x, const double *d, int *y, double *e, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[4 * i] = clamp(x[i], -9, 9);
    y[4 * i + 1] = power<5>(x[i]);
    y[4 * i + 2] = sign(x[i]);
    y[4 * i + 3] = summer<int>(0).run(x[i]);
    e[i] = clamp<double>(d[i], -0.5, 0.25);
}
