/* Bitonic sort of each warp in registers, by shuffles.

   block  32 64 256
   let    n = threads
   in     x = floats(n)
   out    y = empty(n, f4)
   let    grid = 1
   call   bitonic(x, y)
   expect y = sort(x.reshape(-1, 32), 1).reshape(-1)
*/
extern "C" __global__ void bitonic(const float *x, float *y)
{
    int t = threadIdx.x, lane = t & 31;
    float v = x[t];
    for (int k = 2; k <= 32; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            float other = __shfl_xor_sync(0xffffffff, v, j);
            bool up = (lane & k) == 0, low = (lane & j) == 0;
            v = up == low ? fminf(v, other) : fmaxf(v, other);
        }
    y[t] = v;
}
