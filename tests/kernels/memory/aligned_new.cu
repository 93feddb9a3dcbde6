/* new and delete of classes of large alignment, and virtual destructors of such.

   block  1 32 33 100
   let    n = 200
   in     x = ints(0, 1000, n, u4)
   out    y = empty((3, n), u4)
   call   made(x, y, n)
   expect y[0] = 2 * x + 1
   expect y[1] = 3 * x + 3
   expect y[2] = 6
*/
struct alignas(64) counted {
    unsigned v, *destroyed;
    __device__ counted(unsigned v, unsigned *destroyed) : v(v), destroyed(destroyed) {}
    __device__ virtual unsigned value() const
    {
        return v;
    }
    __device__ virtual ~counted()
    {
        ++*destroyed;
    }
};

struct alignas(128) more : counted {
    using counted::counted;
    __device__ unsigned value() const override
    {
        return 2 * v + ((size_t)this % 128 ? 0 : 1);
    }
};

struct alignas(32) plain {
    unsigned v = 1;
    unsigned *destroyed = nullptr;
    __device__ ~plain()
    {
        *destroyed += v != 0;
    }
};

extern "C" __global__ void made(const unsigned *x, unsigned *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned destroyed = 0, sum = 0;
    counted *one = new more(x[i], &destroyed);
    y[i] = one->value();
    delete one;
    {
        counted local(0, &destroyed);
        one = nullptr;
        delete one;
    }
    plain *all = new plain[4];
    for (unsigned k = 0; k < 4; k++) {
        all[k].destroyed = &destroyed;
        all[k].v = k == 3 ? 0 : x[i] + k;
        sum += all[k].v + ((size_t)&all[k] % 32 ? 1000 : 0);
    }
    all[3].v = 1;
    delete[] all;
    y[n + i] = sum;
    y[2 * n + i] = destroyed;
}
