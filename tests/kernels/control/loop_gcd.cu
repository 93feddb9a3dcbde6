/* Euclid's algorithm: a division inside a divergent loop must never see the zero of a thread that
   has already left.

   let    n = 1000
   in     a = ints(0, 100000, n, u4)
   in     b = ints(0, 100000, n, u4) * (arange(n) % 5 > 0).astype(u4)
   out    y = empty(n, u4)
   call   euclid(a, b, y, n)
   expect y = gcd(a, b)
*/
extern "C" __global__ void euclid(const unsigned *a, const unsigned *b, unsigned *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned p = a[i], q = b[i];
    while (q != 0) {
        unsigned r = p % q;
        p = q;
        q = r;
    }
    y[i] = p;
}
