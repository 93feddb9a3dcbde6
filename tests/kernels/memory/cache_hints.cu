/* Loads and stores with cache hints, of numbers and of vectors of all sizes.

   let    n = 100
   in     a = ints(0, 2**32 - 1, (n, 4), u4)
   out    y = empty((n, 4), u4)
   out    z = empty((n, 4), u4)
   out    b = empty((n, 2), u1)
   out    s = empty(n, u4)
   call   f(a, y, z, b, s, i4(n))
   expect y = a
   expect z = concatenate((a[:, 2:], a[:, :2]), 1)
   expect b = a.view(u1).reshape(n, 16)[:, :2]
   expect s = a[:, 1] + a[:, 2]
*/
extern "C" __global__ void f(const uint4 *a, uint4 *y, uint2 *z, uchar2 *b, unsigned *s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const uint2 *half = (const uint2 *)(a + i);
    const unsigned *word = (const unsigned *)(a + i);
    __stwt(y + i, __ldcv(a + i));
    __stwt(z + 2 * i, __ldcv(half + 1));
    __stcg(z + 2 * i + 1, __ldcg(half));
    __stwt(b + i, __ldcv((const uchar2 *)(a + i)));
    __stwt(s + i, __ldcv(word + 1) + __ldca(word + 2));
}
