/* std::move and std::forward without a header, as nvcc's own headers bring them along.

   block  33
   out    y = empty((threads, 5), i4)
   call   f(y)
   expect y[:, 0] = 0
   expect y[:, 1] = arange(threads)
   expect y[:, 2] = arange(threads) * 2 + 7
   expect y[:, 3] = arange(threads) + 4
   expect y[:, 4] = 7
*/
struct number {
    int x;
    __device__ number(int v) : x(v) {}
    __device__ number(number &&o) : x(o.x) { o.x = 0; }
    number(const number &) = delete;
};
template <class F, class... T> __device__ auto call(F &&f, T &&...t)
{
    return std::forward<F>(f)(std::forward<T>(t)...);
}

extern "C" __global__ void f(int *y)
{
    int t = threadIdx.x, v = t;
    y += 5 * t;
    number a(t), b(std::move(a));
    y[0] = a.x, y[1] = b.x;
    y[2] = call([](int &p, int q) { p++; return 2 * p + q; }, v, 5);
    y[3] = std::move(v) + 3;
    constexpr int z = std::move(7);
    y[4] = z;
}
