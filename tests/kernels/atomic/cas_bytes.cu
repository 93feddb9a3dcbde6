/* An atomic add on bytes, four to a word, by compare-and-swap.

   let    n = 4000
   in     x = ints(0, 255, n, u1)
   inout  y = zeros(8, u4)
   call   add(x, y, n)
   expect y.view(u1) = [x[j::32].sum() % 256 for j in range(32)]
*/
extern "C" __global__ void add(const unsigned char *x, unsigned *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned *word = &y[i % 32 / 4], shift = i % 4 * 8, old = *word, seen;
    do {
        seen = old;
        unsigned byte = ((seen >> shift & 255) + x[i]) & 255;
        old = atomicCAS(word, seen, (seen & ~(255u << shift)) | byte << shift);
    } while (old != seen);
}
