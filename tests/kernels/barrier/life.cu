/* Several generations of Life in shared memory by one block, on a torus; few threads, many cells.

   block  1 32 33 16x16 1024
   vary   steps = 0, 1, 5
   let    shape = (24, 32)
   inout  x = ints(0, 1, shape, u1)
   let    grid = 1
   def    f():
              v = x.copy()
              for _ in range(steps):
                  k = sum([roll(v, (a, b), (0, 1)) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b], 0)
                  v = ((k == 3) | (v == 1) & (k == 2)).astype(u1)
              return v
   call   life(x, steps)
   expect x = f()
*/
extern "C" __global__ void life(unsigned char *x, int steps)
{
    __shared__ unsigned char cells[2][24][32];
    int t = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    for (int k = t; k < 24 * 32; k += threads)
        cells[0][k / 32][k % 32] = x[k];
    __syncthreads();
    for (int s = 0; s < steps; s++) {
        unsigned char(*now)[32] = cells[s & 1], (*next)[32] = cells[~s & 1];
        for (int k = t; k < 24 * 32; k += threads) {
            int r = k / 32, c = k % 32, around = 0;
            for (int a = -1; a <= 1; a++)
                for (int b = -1; b <= 1; b++)
                    if (a || b)
                        around += now[(r + a + 24) % 24][(c + b) & 31];
            next[r][c] = around == 3 || (now[r][c] && around == 2);
        }
        __syncthreads();
    }
    for (int k = t; k < 24 * 32; k += threads)
        x[k] = cells[steps & 1][k / 32][k % 32];
}
