/* Ways that end with stores to one place, in one order: of a chain of three behind a guard, in a loop, to two members of a
   structure, of a switch; and ways whose stores only look alike.

   let    n = 777
   in     x = ints(-9, 9, n)
   in     f = floats(n)
   out    y = empty(n, i4)
   out    pair = empty((n, 2), f4)
   out    sums = empty((4, n), i4)
   inout  near = zeros(n + 1, i4)
   call   meet(x, f, y, pair, sums, near, n)
   expect y = select([x < -3, x < 2, x == 5, x == 8], [x * 2, x + 100, 7, -5], -x)
   near 1e-6 pair = where((x > 0)[:, None], stack([f + 1, f * 2], 1), stack([f * f, 3 - f], 1))
   expect sums = [where((x + k) % 3 == 0, x, 1) + k for k in range(4)]
   expect near = [(x[i] if i < n and x[i] % 2 == 0 else 0) + (x[i - 1] if i and x[i - 1] % 2 else 0) for i in range(n + 1)]
*/
struct two {
    float a, b;
};

extern "C" __global__ void meet(const int *x, const float *f, int *y, two *pair, int *sums, int *near, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (x[i] < -3)
        y[i] = x[i] * 2;
    else if (x[i] < 2)
        y[i] = x[i] + 100;
    else
        switch (x[i]) {
        case 5:
            y[i] = 7;
            break;
        case 8:
            y[i] = -5;
            break;
        default:
            y[i] = -x[i];
        }
    if (x[i] > 0) {
        pair[i].a = f[i] + 1;
        pair[i].b = f[i] * 2;
    } else {
        pair[i].a = f[i] * f[i];
        pair[i].b = 3 - f[i];
    }
    for (int k = 0; k < 4; k++) {
        if ((x[i] + k) % 3 == 0)
            sums[k * n + i] = x[i] + k;
        else
            sums[k * n + i] = 1 + k;
    }
    if (x[i] % 2 == 0)
        atomicAdd(&near[i], x[i]);
    else
        atomicAdd(&near[i + 1], x[i]);
}
