/* Escape times of the Mandelbrot set, double precision, 2-D blocks.

   options -fmad=false
   block  1 32 16x16 32x8 7x5
   let    shape = (40, 60)
   let    limit = 60
   let    grid = (cdiv(60, bx), cdiv(40, by))
   out    y = empty(shape, i4)
   def    f():
              r, c = mgrid[:40, :60]
              p = -2.2 + c * 0.0625 + 1j * (-1.25 + r * 0.0625)
              z, k = zeros(shape, complex128), zeros(shape, i4)
              for _ in range(limit):
                  live = z.real * z.real + z.imag * z.imag < 4
                  k += live
                  z = where(live, z * z + p, z)
              return k
   call   escape(y, 60, 40, limit)
   expect y = f()
*/
extern "C" __global__ void escape(int *y, int width, int height, int limit)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= width || r >= height)
        return;
    double p = -2.2 + c * 0.0625, q = -1.25 + r * 0.0625, a = 0, b = 0;
    int k = 0;
    while (k < limit && a * a + b * b < 4) {
        double t = a * a - b * b + p;
        b = 2 * a * b + q;
        a = t;
        k++;
    }
    y[r * width + c] = k;
}
