/* Lattice Boltzmann D2Q9 with bounce-back walls, structure of arrays, two steps.

   block  32 16x4 7x5
   let    w = 33
   let    h = 17
   let    grid = (cdiv(w, bx), cdiv(h, by))
   let    n = w * h
   in     wall = (rng.random((h, w)) < .1).astype(u1)
   let    f0 = floats((9, h, w), f4, .05, .15)
   inout  f = f0
   out    g = empty((9, h, w), f4)
   def    step(f, wall):
            cx = [0, 1, 0, -1, 0, 1, -1, -1, 1]; cy = [0, 0, 1, 0, -1, 1, 1, -1, -1]; wt = [4/9] + [1/9] * 4 + [1/36] * 4; op = [0, 3, 4, 1, 2, 7, 8, 5, 6]
            f = f.astype(f8); s = array([roll(f[k], (cy[k], cx[k]), (0, 1)) for k in range(9)])
            rho = s.sum(0); u = sum(array([cx[k] * s[k] for k in range(9)]), 0) / rho; v = sum(array([cy[k] * s[k] for k in range(9)]), 0) / rho
            r = array([s[k] + .6 * (wt[k] * rho * (1 + 3 * (cx[k] * u + cy[k] * v) + 4.5 * (cx[k] * u + cy[k] * v) ** 2 - 1.5 * (u * u + v * v)) - s[k]) for k in range(9)])
            return where(wall, s[op], r)
   call   lbm(f, g, wall, w, h)
   call   lbm(g, f, wall, w, h)
   near   1e-4 g = step(f0, wall)
   near   1e-4 f = step(step(f0, wall), wall)
*/
__constant__ int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1},
                 cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1},
                 op[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__constant__ float wt[9] = {4.f / 9,  1.f / 9,  1.f / 9,  1.f / 9, 1.f / 9,
                            1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
extern "C" __global__ void lbm(const float *__restrict__ f, float *__restrict__ g,
                               const unsigned char *wall, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x,
        y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int n = w * h, at = y * w + x;
    float s[9], rho = 0, u = 0, v = 0;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        int px = (x - cx[k] + w) % w, py = (y - cy[k] + h) % h;
        s[k] = f[k * n + py * w + px];
        rho += s[k];
        u += cx[k] * s[k];
        v += cy[k] * s[k];
    }
    if (wall[at]) {
        for (int k = 0; k < 9; k++)
            g[k * n + at] = s[op[k]];
        return;
    }
    u /= rho;
    v /= rho;
    float uu = u * u + v * v;
    for (int k = 0; k < 9; k++) {
        float cu = cx[k] * u + cy[k] * v;
        g[k * n + at] =
            s[k] +
            .6f * (wt[k] * rho * (1 + 3 * cu + 4.5f * cu * cu - 1.5f * uu) - s[k]);
    }
}
