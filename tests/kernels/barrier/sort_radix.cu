/* Radix sort of a block: four bits by a split, each with a scan of its own.

   block  1 32 33 128 512
   let    n = threads
   in     x = ints(0, 15, n, u4)
   out    y = empty(n, u4)
   out    from_ = empty(n, i4)
   let    grid = 1
   call   radix(x, y, from_)
   expect y = sort(x)
   expect from_ = argsort(x, kind="stable")
*/
__device__ int scan(int *s, int v)
{
    int t = threadIdx.x;
    s[t] = v;
    __syncthreads();
    for (int by = 1; by < blockDim.x; by *= 2) {
        int add = t >= by ? s[t - by] : 0;
        __syncthreads();
        s[t] += add;
        __syncthreads();
    }
    return s[t];
}

extern "C" __global__ void radix(const unsigned *x, unsigned *y, int *from)
{
    __shared__ unsigned keys[512];
    __shared__ int places[512], sums[512];
    int t = threadIdx.x, n = blockDim.x;
    keys[t] = x[t];
    places[t] = t;
    __syncthreads();
    for (int bit = 0; bit < 4; bit++) {
        unsigned key = keys[t];
        int place = places[t];
        int one = key >> bit & 1;
        int before = scan(sums, 1 - one);
        int zeros = sums[n - 1];
        int to = one ? zeros + t - before : before - 1;
        __syncthreads();
        keys[to] = key;
        places[to] = place;
        __syncthreads();
    }
    y[t] = keys[t];
    from[t] = places[t];
}
