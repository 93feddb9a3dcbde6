/* Several values are carried round a loop and live after it; the loop has three exits.

   let    n = 512
   in     x = ints(1, 1 << 30, n, u4)
   out    y = empty((n, 4), u4)
   def    f(v):
              a, b, c, steps = v, 1, 0, 0
              while True:
                  if a % 17 == 0:
                      return a, b, c, 1
                  c = b ^ a
                  if c % 23 == 5:
                      return a, b, c, 2
                  a, b = (a * 1664525 + 1013904223) % 2**32, (b * 3 + a) % 2**32
                  steps += 1
                  if steps == 40:
                      return a, b, c, 3
   call   exits(x, y, n)
   expect y = [f(int(v)) for v in x]
*/
extern "C" __global__ void exits(const unsigned *x, unsigned *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned a = x[i], b = 1, c = 0, why, steps = 0;
    for (;;) {
        if (a % 17 == 0) {
            why = 1;
            break;
        }
        c = b ^ a;
        if (c % 23 == 5) {
            why = 2;
            break;
        }
        unsigned old = a;
        a = a * 1664525u + 1013904223u;
        b = b * 3 + old;
        if (++steps == 40) {
            why = 3;
            break;
        }
    }
    y[4 * i] = a;
    y[4 * i + 1] = b;
    y[4 * i + 2] = c;
    y[4 * i + 3] = why;
}
