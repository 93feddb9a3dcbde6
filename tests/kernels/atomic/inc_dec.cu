/* atomicInc and atomicDec wrap at their bounds.

   let    n = 1000
   inout  c = array([0, 3, 50], u4)
   out    y = empty((n, 3), u4)
   call   wrap_round(c, y, n)
   expect c = [n % 7, (3 - n) % 8, (50 - n) % 51]
   expect sort(y[:, 0]) = sort(arange(n) % 7)
   expect sort(y[:, 1]) = sort((3 - arange(n)) % 8)
   expect sort(y[:, 2]) = sort((50 - arange(n)) % 51)
*/
extern "C" __global__ void wrap_round(unsigned *c, unsigned *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[3 * i] = atomicInc(&c[0], 6);
    y[3 * i + 1] = atomicDec(&c[1], 7);
    y[3 * i + 2] = atomicDec(&c[2], 50);
}
