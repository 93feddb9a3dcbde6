/* A large structure passed by value with arrays that are indexed at run time, in a function that
   takes it by reference; one kernel only reads it, one writes its own copy.

   let    n = 600
   vary   ndim = 1, 2, 4
   let    layout = dtype([("columns", i8), ("ndim", i4), ("length", u4, 8), ("stride", i8, (2, 8))],
                         align=True)
   let    lengths = array([7, 3, 5, 11, 0, 0, 0, 0])
   let    strides = array([[2, 1, -3, 5, 0, 0, 0, 0], [1, 9, 4, 2, 0, 0, 0, 0]])
   let    w = array((n, ndim, lengths, strides), layout)
   def    place(k, i): return strides[k, 0] * i + sum([0 * i] + [i // prod(lengths[:d]) %
       lengths[d] * strides[k, d] for d in range(1, ndim)], axis=0)
   let    i = arange(n)
   in     x = ints(-99, 99, 4000)
   out    y = empty(n, i4)
   out    z = empty(n, i4)
   call   reads(w, x, y)
   call   writes(w, x, z, n)
   expect y = x[place(0, i) + 100] - x[place(1, i) + 100]
   expect z = i % 8 * (n + 1) + lengths[(i + 1) % 8]
*/
struct walk {
    long long columns;
    int ndim;
    unsigned length[8];
    long long stride[2][8];
};

static __device__ __forceinline__ void body(const walk &w, const int *x, int *y)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= w.columns)
        return;
    long long a = i * w.stride[0][0], b = i * w.stride[1][0];
    unsigned rest = i / w.length[0];
    for (int d = 1; d < w.ndim; d++) {
        unsigned next = rest / w.length[d], c = rest - next * w.length[d];
        rest = next;
        a += c * w.stride[0][d];
        b += c * w.stride[1][d];
    }
    y[i] = x[a + 100] - x[b + 100];
}

extern "C" __global__ void reads(const walk w, const int *x, int *y)
{
    body(w, x, y);
}

extern "C" __global__ void writes(walk w, const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    w.length[i % 8] = i % 8 * (n + 1);
    w.columns = i;
    y[i] = w.length[i % 8] + w.length[(w.columns + 1) % 8];
}
