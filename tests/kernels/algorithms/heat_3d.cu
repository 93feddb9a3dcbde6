/* A seven-point stencil marching through z, three planes kept in registers.

   block  8x8 16x4 32
   let    shape = (9, 13, 21)
   let    grid = (cdiv(21, bx), cdiv(13, by))
   in     x = floats(shape)
   inout  y = zeros(shape, f4)
   let    d = x.astype(f8)
   let    inner = d[:-2, 1:-1, 1:-1] + d[2:, 1:-1, 1:-1] + d[1:-1, :-2, 1:-1] + d[1:-1, 2:, 1:-1] + d[1:-1, 1:-1, :-2] + d[1:-1, 1:-1, 2:] - 6 * d[1:-1, 1:-1, 1:-1]
   call   march(x, y, 21, 13, 9)
   near   1e-5 y = pad(inner, 1)
*/
extern "C" __global__ void march(const float *x, float *y, int nx, int ny, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1)
        return;
    int plane = nx * ny, at = j * nx + i;
    float below = x[at], here = x[at + plane];
    for (int k = 1; k < nz - 1; k++) {
        at += plane;
        float above = x[at + plane];
        y[at] = below + above + x[at - 1] + x[at + 1] + x[at - nx] + x[at + nx] - 6 * here;
        below = here;
        here = above;
    }
}
