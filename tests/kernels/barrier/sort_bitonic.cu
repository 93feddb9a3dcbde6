/* Bitonic sort of a block, one element a thread.

   block  1 2 32 64 256 1024
   let    n = threads * 2
   in     x = floats(n)
   out    y = empty(n, f4)
   let    grid = 2
   call   bitonic(x, y)
   expect y = sort(x.reshape(2, threads), 1).reshape(-1)
*/
extern "C" __global__ void bitonic(const float *x, float *y)
{
    __shared__ float s[1024];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = x[i];
    __syncthreads();
    for (unsigned k = 2; k <= blockDim.x; k <<= 1)
        for (unsigned j = k >> 1; j > 0; j >>= 1) {
            unsigned other = t ^ j;
            if (other > t) {
                bool up = (t & k) == 0;
                if ((s[t] > s[other]) == up) {
                    float v = s[t];
                    s[t] = s[other];
                    s[other] = v;
                }
            }
            __syncthreads();
        }
    y[i] = s[t];
}
