/* Structures by value and narrow numbers, to functions that are called through pointers and tables.

   block  1 32 33 100
   let    n = 300
   in     x = floats((n, 3), f8)
   in     k = ints(-128, 127, n, i1)
   out    y = empty((n, 3), f8)
   let    inside = sum(x * x, 1) < 1
   let    above = x[:, 1] > 0.25
   call   by_value(x, k, y, n)
   expect y[:, 0] = where(inside, 2.0, where(above, 1.0, -1.0)) + x[:, 2]
   expect y[:, 1] = inside.astype(i4) + 2 * above
   expect y[:, 2] = where(k < 0, 2 * x[:, 0], x[:, 1] + k)
*/
struct vector {
    double x, y, z;
};

struct shape {
    __device__ virtual bool has(vector v, double &depth) const = 0;
};

struct ball : shape {
    double radius;
    __device__ ball(double radius) : radius(radius) {}
    __device__ bool has(vector v, double &depth) const override
    {
        if (v.x * v.x + v.y * v.y + v.z * v.z >= radius)
            return false;
        depth = 2 + v.z;
        return true;
    }
};

struct plane : shape {
    double height;
    __device__ plane(double height) : height(height) {}
    __device__ bool has(vector v, double &depth) const override
    {
        if (v.y <= height)
            return false;
        depth = 1 + v.z;
        return true;
    }
};

__device__ double twice(vector v, signed char)
{
    return 2 * v.x;
}

__device__ double plus(vector v, signed char k)
{
    return v.y + k;
}

extern "C" __global__ void by_value(const double *x, const signed char *k, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    vector v = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
    ball b(1);
    plane p(0.25);
    const shape *all[] = {&p, &b};
    double depth = v.z - 1;
    int found = 0;
    for (int s = 0; s < 2; s++)
        found += all[s]->has(v, depth) ? 2 - s : 0;
    double (*f)(vector, signed char) = k[i] < 0 ? twice : plus;
    y[3 * i] = depth;
    y[3 * i + 1] = found;
    y[3 * i + 2] = f(v, k[i]);
}
