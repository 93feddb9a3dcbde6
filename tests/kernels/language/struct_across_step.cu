/* A structure that a recursive function returns is kept as a whole across a loop in step, where one of its members is needed
   later.

   vary   n = 1, 70
   block  32 100
   in     x = ints(0, 50, n + 16, u4)
   inout  y = zeros(2 * n, u4)
   let    grid = cdiv(n, threads)
   def    right(x, n):
              y = []
              for i in range(n):
                  t, total = i % threads, 1
                  la = [int(x[i]) + k for k in range(8)]
                  for k in range(15, -1, -1):
                      total += la[(t + 4) & 7]
                      la[(1 if la[(t + 4) & 7] <= 1 else int(x[k])) & 7] ^= 1
                  y += [sum(la) + 8 * total, int(x[i]) + 1]
              return array(y, u4)
   call   keep(x, y, n)
   expect y = right(x, n)
*/
struct row { unsigned v[3]; unsigned char n; };
static __device__ row grown(row s, unsigned k)
{
    if (!(k & 3))
        return s;
    s.v[k % 3] += k;
    s.n++;
    return grown(s, k - 1);
}
extern "C" __global__ void keep(const unsigned *__restrict__ x, unsigned *__restrict__ y, int n)
{
    unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    unsigned a = x[i], la[8], total = 1;
    for (unsigned k = 0; k < 8; k++)
        la[k] = a + k;
    row r = {{a, 2, a}, (unsigned char)a};
    r = grown(r, 1);
    int k = 15;
    do {
        total += la[(t + 4) & 7];
        la[(la[(t + 4) & 7] <= 1 ? 1 : x[k]) & 7] ^= 1;
    } while (k-- > 0);
    for (unsigned j = 0; j < 8; j++)
        y[2 * i] += la[j] + total;
    y[2 * i + 1] += r.n;
}
