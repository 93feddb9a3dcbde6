/* Loads and stores of neighbours by some threads of a row, of 1 to 8 bytes: in memory of the block that is as long as it is,
   so that nothing is in front of the first and behind the last; and bytes and shorts anywhere in pages.

   block  1 2 16 31 64 255 256
   let    i = arange(threads)
   def    from_left(x): return where((i % 3 == 2) & (i > 0), append(x[:1], x)[:threads], x)
   def    from_right(x): return where((i % 5 < 2) & (i + 1 < threads), append(x[1:], x[:1]), from_left(x))
   in     b = ints(-99, 99, threads, i1)
   in     h = ints(-99, 99, threads, i2)
   in     f = floats(threads)
   in     d = floats(threads, f8)
   out    to_b = empty(threads, i1)
   out    to_h = empty(threads, i2)
   out    to_f = empty(threads, f4)
   out    to_d = empty(threads, f8)
   call   bytes[1, None, threads](b, to_b)
   call   halves[1, None, 2 * threads](h, to_h)
   call   words[1, None, 4 * threads](f, to_f)
   call   doubles[1, None, 8 * threads](d, to_d)
   expect to_b = from_right(b)
   expect to_h = from_right(h)
   expect to_f = from_right(f)
   expect to_d = from_right(d)

   let    n = 9001
   let    at = arange(n)
   in     many = ints(0, 200, n + 2, u1)
   in     short_ones = ints(0, 9999, n + 2, u2)
   out    sums = empty(n, i4)
   call   pages[cdiv(n, threads)](many, short_ones, sums, n)
   expect sums = where(at % 4 < 3, many[2:].astype(i4) + short_ones[1:-1], -1)
*/
template <class T> __device__ void move(const T *x, T *y)
{
    extern __shared__ double row[];
    T *s = (T *)row;
    int t = threadIdx.x, threads = blockDim.x;
    T own = x[t];
    s[t] = own;
    __syncthreads();
    if (t % 3 == 1 && t + 1 < threads) /* the left neighbour's */
        s[t + 1] = own;
    __syncthreads();
    if (t % 5 == 1 || t % 5 == 2) /* the right neighbour's, where the left one is one of them */
        if ((t - 1) % 5 < 2)
            s[t - 1] = own;
    __syncthreads();
    y[t] = s[t];
}

extern "C" __global__ void bytes(const char *x, char *y)
{
    move(x, y);
}

extern "C" __global__ void halves(const short *x, short *y)
{
    move(x, y);
}

extern "C" __global__ void words(const float *x, float *y)
{
    move(x, y);
}

extern "C" __global__ void doubles(const double *x, double *y)
{
    move(x, y);
}

extern "C" __global__ void pages(const unsigned char *x, const unsigned short *h, int *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = -1;
    if (i % 4 < 3)
        sum = x[i + 2] + h[i + 1];
    sums[i] = sum;
}
