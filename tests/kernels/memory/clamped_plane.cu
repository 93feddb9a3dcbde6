/* A five-point stencil whose rows and columns are clamped, on planes that blocks do not divide.

   block  1 16x16 32x8 33x3 64x2 7x5
   vary   w = 1, 5, 33, 70
   vary   h = 1, 20
   let    grid = (cdiv(w, bx), cdiv(h, by))
   in     x = ints(-99, 99, (h, w))
   out    y = empty((h, w), i4)
   call   f(x, y, w, h)
   let    p = pad(x, 1, "edge")
   expect y = p[:-2, 1:-1] + 2 * p[2:, 1:-1] + 4 * p[1:-1, :-2] + 8 * p[1:-1, 2:] + 16 * p[:-2, :-2]
*/
extern "C" __global__ void f(const int *x, int *y, int w, int h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= w || j >= h)
        return;
    int north = j == 0 ? j : j - 1, south = min(j + 1, h - 1), west = max(i - 1, 0), east = i == w - 1 ? i : i + 1;
    y[j * w + i] = x[north * w + i] + 2 * x[south * w + i] + 4 * x[j * w + west] + 8 * x[j * w + east] +
                   16 * x[north * w + west];
}
