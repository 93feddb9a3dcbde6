/* Long code that is the same for all threads of a row, with branches and a loop, in blocks with and without a row's end.

   block  1 5 16 33 1x7 20x3
   let    grid = 4
   let    n = 4 * by
   in     x = ints(0, 2**31 - 1, n, u4)
   out    y = empty(n, u4)
   def    mixed(a):
              for k in range(100):
                  a = ((a ^ a >> 7) * 0x9e3779b1 + k) & 0xffffffff
              return a
   def    twice(a): return mixed(mixed(a)) if mixed(a) & 1 else mixed(a)
   call   alike(x, y)
   expect y = [twice(int(v)) for v in x]
*/
extern "C" __global__ void alike(const unsigned *x, unsigned *y)
{
    unsigned i = blockIdx.x * blockDim.y + threadIdx.y, a = x[i];
    for (int turn = 0; turn < 2; turn++) {
#pragma unroll
        for (int k = 0; k < 100; k++)
            a = (a ^ a >> 7) * 0x9e3779b1u + k;
        if (!(a & 1))
            break;
    }
    y[i] = a;
}
