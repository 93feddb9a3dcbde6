/* Monte-Carlo count of points in the quarter circle: an LCG in each thread, one atomic each.

   let    n = 512
   let    rounds = 20
   inout  inside = zeros(1, u4)
   def    hits(t):
              s, c = (t * 7919 + 12345) % 2**32, 0
              for _ in range(rounds):
                  s = (s * 1664525 + 1013904223) % 2**32
                  a = s >> 16
                  s = (s * 1664525 + 1013904223) % 2**32
                  c += a * a + (s >> 16) ** 2 < 2**32
              return c
   call   throw_(inside, rounds, n)
   expect inside = sum([hits(t) for t in range(n)])
*/
extern "C" __global__ void throw_(unsigned *inside, int rounds, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned s = i * 7919u + 12345u, count = 0;
    for (int k = 0; k < rounds; k++) {
        s = s * 1664525u + 1013904223u;
        unsigned long long a = s >> 16;
        s = s * 1664525u + 1013904223u;
        unsigned long long b = s >> 16;
        if (a * a + b * b < 1ull << 32)
            count++;
    }
    atomicAdd(inside, count);
}
