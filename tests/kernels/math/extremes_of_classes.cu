/* min and max of classes that convert to numbers are those of the numbers.

   let    n = 300
   in     x = ints(-40, 40, n)
   out    y = empty((n, 4), f4)
   call   f(x, y, n)
   expect y = stack([maximum(x, 2) / 4, minimum(x, -6) / 4, maximum(x / 4, 2.5), minimum(x, -3)], 1)
*/
struct Quarters {
    short count;
    __device__ Quarters(float x) : count(x * 4)
    {
    }
    __device__ operator float() const
    {
        return count / 4.f;
    }
};

__device__ Quarters operator+(Quarters a, Quarters b)
{
    return Quarters((float)a + (float)b);
}

struct Whole {
    int value;
    __device__ operator int() const
    {
        return value;
    }
};

extern "C" __global__ void f(const int *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Quarters one(x[i] / 4.f);
    y[4 * i] = max(one, Quarters(0.5f));
    y[4 * i + 1] = min(Quarters(-1.5f), one);
    y[4 * i + 2] = max(one, 2.5f);
    y[4 * i + 3] = min(Whole{x[i]}, Whole{-3});
}
