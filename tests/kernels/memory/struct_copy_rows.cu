/* Copies of structures of many sizes by consecutive threads: in order, from behind, between global and shared memory, over their
   neighbours, from odd addresses, and from one thread to the next.

   vary   size = 3, 12, 16, 20, 24, 32, 64, 72
   block  1 32 33 96
   let    n = threads * 3 - 7 if threads > 7 else 2
   in     x = ints(0, 255, (n + 1, size), u1)
   out    y = empty((n, size), u1)
   out    z = empty((n, size), u1)
   out    w = empty((n, size), u1)
   call   f(x, y, z, w, n, size)
   expect y = x[:n]
   expect z = x[1:]
   expect w = x[:n][(lambda i: i // bx * bx + minimum((i % bx) ^ 1, minimum(bx, n - i // bx * bx) - 1))(arange(n))]
*/
template <int size> struct bytes {
    unsigned char b[size];
};
template <int size> struct __align__(4) words {
    bytes<size> all;
};

template <class T> __device__ void copy(const char *from, char *y, char *z, char *w, int n)
{
    const T *x = (const T *)from;
    int i = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.x * blockDim.x;
    int here = min((int)blockDim.x, n - first);
    __shared__ T s[96];
    if (i < n) {
        ((T *)y)[i] = x[i];
        __builtin_memcpy(z + (size_t)i * sizeof(T), from + ((size_t)i + 1) * sizeof(T), sizeof(T));
        s[threadIdx.x] = x[i];
    }
    __syncthreads();
    if (i < n)
        ((T *)w)[i] = s[min((int)threadIdx.x ^ 1, here - 1)];
}

extern "C" __global__ void f(const char *x, char *y, char *z, char *w, int n, int size)
{
    switch (size) {
    case 3: copy<bytes<3>>(x, y, z, w, n); break;
    case 12: copy<words<12>>(x, y, z, w, n); break;
    case 16: copy<int4>(x, y, z, w, n); break;
    case 20: copy<words<20>>(x, y, z, w, n); break;
    case 24: copy<double3>(x, y, z, w, n); break;
    case 32: copy<double4>(x, y, z, w, n); break;
    case 64: copy<words<64>>(x, y, z, w, n); break;
    case 72: copy<words<72>>(x, y, z, w, n); break;
    }
}
