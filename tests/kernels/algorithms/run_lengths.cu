/* Run-length coding in one block: head flags, scan, scatter, all strided over the data.

   block  1 32 64 256
   let    n = 500
   let    grid = 1
   in     x = repeat(ints(0, 5, 200, u1), 3)[:n]
   inout  value = zeros(n, u1)
   inout  length_ = zeros(n, i4)
   out    count = empty(1, i4)
   let    heads = nonzero(append(True, x[1:] != x[:-1]))[0]
   call   encode(x, value, length_, count, n)
   expect count = len(heads)
   expect value[:len(heads)] = x[heads]
   expect length_[:len(heads)] = diff(append(heads, n))
   expect count_nonzero(value[count[0]:]) + count_nonzero(length_[count[0]:]) = 0
*/
extern "C" __global__ void encode(const unsigned char *x, unsigned char *value, int *length, int *count,
                                  int n)
{
    __shared__ int place[501], sums[256];
    int t = threadIdx.x, each = (n + blockDim.x - 1) / blockDim.x;
    int first = t * each, last = min(first + each, n), heads = 0;
    for (int i = first; i < last; i++)
        heads += i == 0 || x[i] != x[i - 1];
    sums[t] = heads;
    __syncthreads();
    for (int by = 1; by < blockDim.x; by *= 2) {
        int v = t >= by ? sums[t - by] : 0;
        __syncthreads();
        sums[t] += v;
        __syncthreads();
    }
    int total = sums[blockDim.x - 1], at = sums[t] - heads;
    for (int i = first; i < last; i++)
        if (i == 0 || x[i] != x[i - 1])
            place[at++] = i;
    if (t == 0)
        place[total] = n;
    __syncthreads();
    for (int k = t; k < total; k += blockDim.x) {
        value[k] = x[place[k]];
        length[k] = place[k + 1] - place[k];
    }
    if (t == 0)
        *count = total;
}
