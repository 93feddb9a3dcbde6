/* One generation of Life from one array to another, two launches, byte cells.

   block  1 16x16 32x4 5x7
   let    shape = (30, 41)
   let    grid = (cdiv(41, bx), cdiv(30, by))
   inout  a = ints(0, 1, shape, u1)
   inout  b = zeros(shape, u1)
   def    f(v):
              p = pad(v, 1)
              k = sum([p[1 + i:31 + i, 1 + j:42 + j] for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j], 0)
              return ((k == 3) | (v == 1) & (k == 2)).astype(u1)
   call   life(a, b, 41, 30)
   call   life(b, a, 41, 30)
   expect b = f(a)
   expect a = f(f(a))
*/
extern "C" __global__ void life(const unsigned char *a, unsigned char *b, int width, int height)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= width || r >= height)
        return;
    int around = 0;
    for (int j = max(r - 1, 0); j <= min(r + 1, height - 1); j++)
        for (int i = max(c - 1, 0); i <= min(c + 1, width - 1); i++)
            if (i != c || j != r)
                around += a[j * width + i];
    b[r * width + c] = around == 3 || (around == 2 && a[r * width + c]);
}
