/* A random generator whose state is kept in memory between launches, struct of four words.

   let    n = 200
   inout  state = ints(1, 2**32 - 1, (n, 4), u4)
   out    y = empty((n, 6), u4)
   def    f(s):
              x, y, z, w = [int(v) for v in s]
              r = []
              for _ in range(6):
                  t = x ^ x << 11 & 0xffffffff
                  x, y, z = y, z, w
                  w = w ^ w >> 19 ^ t ^ t >> 8
                  r.append(w)
              return r, [x, y, z, w]
   call   draw(state, y, 0, n)
   call   draw(state, y, 3, n)
   expect y = [f(s)[0] for s in state]
   expect state = [f(s)[1] for s in state]
*/
struct generator {
    unsigned x, y, z, w;
};

__device__ unsigned next(generator *g)
{
    unsigned t = g->x ^ g->x << 11;
    g->x = g->y;
    g->y = g->z;
    g->z = g->w;
    return g->w = g->w ^ g->w >> 19 ^ t ^ t >> 8;
}

extern "C" __global__ void draw(generator *state, unsigned *y, int first, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    generator g = state[i];
    for (int k = 0; k < 3; k++)
        y[6 * i + first + k] = next(&g);
    state[i] = g;
}
