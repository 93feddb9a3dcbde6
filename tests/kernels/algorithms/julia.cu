/* Julia set with a complex class, supersampled 2x2, mapped to RGBA bytes.

   block  16x16 64 8x4
   let    w = 32
   let    grid = (cdiv(w, bx), cdiv(w, by))
   out    y = empty((w, w, 4), u1)
   def    f():
              t = zeros((w, w), i4)
              for s in range(4):
                  r, c = mgrid[:w, :w] * 1.0
                  z = (c + s % 2 * 0.5) / 8 - 2 + 1j * ((r + s // 2 * 0.5) / 8 - 2)
                  for k in range(16):
                      live = z.real ** 2 + z.imag ** 2 <= 16
                      t += live
                      z = where(live, z * z + (-0.75 + 0.125j), z)
              return stack([t * 4 - (t == 64), t, 255 - t, full_like(t, 255)], 2)
   call   julia(y, w)
   expect y = f()
*/
struct complex {
    double re, im;
    __device__ complex(double a, double b) : re(a), im(b)
    {
    }
    __device__ double norm() const
    {
        return re * re + im * im;
    }
    __device__ complex operator*(const complex &o) const
    {
        return complex(re * o.re - im * o.im, im * o.re + re * o.im);
    }
    __device__ complex operator+(const complex &o) const
    {
        return complex(re + o.re, im + o.im);
    }
};

__device__ int julia_steps(double x, double y)
{
    complex z(x, y), c(-0.75, 0.125);
    for (int k = 0; k < 16; k++) {
        if (z.norm() > 16)
            return k;
        z = z * z + c;
    }
    return 16;
}

extern "C" __global__ void julia(uchar4 *y, int w)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= w || r >= w)
        return;
    int t = 0;
    for (int s = 0; s < 4; s++)
        t += julia_steps((c + s % 2 * 0.5) / 8 - 2, (r + s / 2 * 0.5) / 8 - 2);
    y[r * w + c] = make_uchar4(t * 4 - (t == 64), t, 255 - t, 255);
}
