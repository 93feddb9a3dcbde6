/* Lanes may be elsewhere at each of many shuffles, so regions end between them; some lanes skip some.

   block  32 64 96
   let    n = threads
   in     x = ints(0, 99, n, u4)
   out    y = empty(n, u4)
   let    grid = 1
   def    right(v):
              for k in range(30):
                  w = v.reshape(-1, 32)
                  odd = arange(32) & 1
                  if k % 3:
                      v = w + w[:, arange(32) ^ ((k & 7) + 1)] * u4(k)
                  else:
                      v = where(odd, w + w[:, arange(32) ^ 2], w * u4(3))
                  v = v.astype(u4).ravel()
              return v
   call   shuffles(x, y)
   expect y = right(x)
*/
extern "C" __global__ void shuffles(const unsigned *x, unsigned *y)
{
    unsigned v = x[threadIdx.x];
    #pragma unroll
    for (int k = 0; k < 30; k++) {
        if (k % 3)
            v += __shfl_xor_sync(0xffffffffu, v, (k & 7) + 1) * k;
        else if (threadIdx.x & 1)
            v += __shfl_xor_sync(0xaaaaaaaau, v, 2);
        else
            v *= 3;
    }
    y[threadIdx.x] = v;
}
