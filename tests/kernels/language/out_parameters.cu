/* Results through references and pointers: to locals, to memory, to members, null allowed.

   let    n = 170
   in     x = ints(-500, 500, n)
   out    y = empty((n, 4), i4)
   call   outs(x, y, n)
   expect y = stack([abs(x) // 7, abs(x) % 7, where(x < 0, 7, abs(x) // 7), sign(x)], 1)
*/
__device__ __noinline__ void divide(int a, int b, int &quotient, int *remainder, int *sign)
{
    if (sign)
        *sign = (a > 0) - (a < 0);
    if (a < 0)
        a = -a;
    quotient = a / b;
    if (remainder)
        *remainder = a % b;
}

__device__ void order(int &a, int &b)
{
    int t = a;
    a = b;
    b = t;
}

struct pair {
    int a, b;
};

extern "C" __global__ void outs(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    pair p = {0, 7};
    int sign;
    divide(x[i], 7, p.a, &y[4 * i + 1], &sign);
    y[4 * i] = p.a;
    if (x[i] < 0)
        order(p.a, p.b);
    y[4 * i + 2] = p.a;
    divide(x[i], 3, p.b, nullptr, x[i] & 1 ? &sign : nullptr);
    y[4 * i + 3] = sign;
}
