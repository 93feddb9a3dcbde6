/* Parameters of kernels whose classes have copy constructors and destructors: threads have copies of the bytes.

   block  1 32 33 100
   let    n = 200
   in     x = ints(0, 100, n, u4)
   out    y = empty((3, n), u4)
   let    small = np.array([(7, 5)], [("v", u4), ("more", u4)])[0]
   let    wide = np.array([(9, [3] * 15)], [("v", u4), ("more", u4, 15)])[0]
   call   parameters(small, np.uint8(1), wide, x, y, n)
   call   passing_on(wide, np.uint8(2), small, x, y, n)
   expect y[0] = 7 + x + 5 + 1
   expect y[1] = 9 + x + 3
   expect y[2] = 2 * (9 + x) + 2 + 7
*/
struct small {
    unsigned v, more;
    __device__ small(const small &o) : v(o.v + 1000), more(o.more)
    {
    }
    __device__ ~small()
    {
        v = 0;
    }
};

struct alignas(64) wide {
    unsigned v, more[15];
    __device__ wide(wide &&o) : v(o.v * 2), more{}
    {
        o.v = 0;
    }
};

/* A function of the kernel's types, called as C++ says. */
__device__ unsigned twice(wide w, unsigned char more, small s)
{
    s.v -= 1000;
    return w.v + more + s.v;
}

extern "C" __global__ void parameters(small s, unsigned char one, wide w, const unsigned *x, unsigned *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    s.v += x[i];
    w.v += x[i];
    y[i] = s.v + s.more + one;
    y[n + i] = w.v + w.more[x[i] % 15];
}

extern "C" __global__ void passing_on(wide w, unsigned char two, small s, const unsigned *x, unsigned *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    w.v += x[i];
    y[2 * n + i] = twice(static_cast<wide &&>(w), two, s);
}
