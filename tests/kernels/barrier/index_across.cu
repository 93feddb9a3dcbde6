/* Indices that are computed before a barrier and used on both sides of it: as they are, widened, clamped to the array and
   to the tile, and an unsigned one below zero.

   block  1 16x16 32x8 33x3 64x2 7x5
   let    gx = 3
   let    gy = 2
   let    grid = (gx, gy)
   let    w = gx * bx
   let    h = gy * by
   in     x = ints(-99, 99, (h, w))
   out    y = empty((4, h, w), i4)
   let    t = x.reshape(gy, by, gx, bx)
   let    c = arange(bx)
   let    flat = x.reshape(-1)
   let    at = arange(h * w)
   call   f(x, y, w, h)
   expect y = array([t[:, ::-1].reshape(h, w),
                     (t[..., maximum(c - 1, 0)] + 2 * t[..., minimum(c + 1, bx - 1)]).reshape(h, w),
                     (t.reshape(-1) + flat[maximum(at - 1, 0)] + 2 * flat[minimum(at + 1, h * w - 1)]).reshape(h, w),
                     where(arange(w) % bx > 0, roll(x, 1, 1), 0)])
*/
extern "C" __global__ void f(const int *x, int *y, int w, int h)
{
    __shared__ int s[1024];
    int i = threadIdx.x, j = threadIdx.y, bx = blockDim.x, by = blockDim.y, n = w * h;
    int at = w * by * blockIdx.y + bx * blockIdx.x + w * j + i;
    int west = max(i - 1, 0), east = i == bx - 1 ? i : i + 1;
    int before = at == 0 ? at : at - 1, after = min(at + 1, n - 1);
    unsigned below = bx * j + i - 1u;
    s[j * bx + i] = x[at];
    int own = x[before] + 2 * x[after];
    __syncthreads();
    y[at] = s[(by - 1 - j) * bx + i];
    y[n + at] = s[j * bx + west] + 2 * s[j * bx + east];
    int left = i > 0 ? s[below] : 0;
    __syncthreads();
    s[j * bx + i] = left;
    __syncthreads();
    y[3 * n + at] = s[j * bx + i];
    y[2 * n + at] = x[at] + (own - 2 * x[after]) + 2 * x[after] + x[before] - x[before];
}
