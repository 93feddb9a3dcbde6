/* Operator overloading: a complex number class in an iteration, compound assignment, comparison,
   conversion, subscript and call.

   let    n = 180
   in     z = (0.3 * (floats(n) + 1j * floats(n))).astype(complex64)
   out    y = empty(n, complex64)
   out    k = empty(n, i4)
   def    f(z):
              v = 0j
              for k in range(12):
                  v = v * v + z - 0.25 * z
              return v
   call   iterate(z, y, k, n)
   near   2e-4 y = [f(complex(v)) for v in z]
   expect k = where(abs(z.real) == abs(z.imag), 1, 0) + 10 * 3
*/
struct cplx {
    float re, im;
    __device__ cplx(float r = 0, float i = 0) : re(r), im(i)
    {
    }
    __device__ cplx &operator+=(const cplx &o)
    {
        re += o.re;
        im += o.im;
        return *this;
    }
    __device__ cplx operator-() const
    {
        return cplx(-re, -im);
    }
    __device__ float operator[](int k) const
    {
        return k ? im : re;
    }
    __device__ int operator()(int v) const
    {
        return v * 10;
    }
    __device__ explicit operator bool() const
    {
        return fabsf(re) == fabsf(im);
    }
};

__device__ cplx operator*(const cplx &a, const cplx &b)
{
    return cplx(a.re * b.re - a.im * b.im, a[0] * b[1] + a[1] * b[0]);
}

__device__ cplx operator-(cplx a, const cplx &b)
{
    return a += -b;
}

extern "C" __global__ void iterate(const cplx *z, cplx *y, int *k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    cplx v, c = z[i];
    for (int k = 0; k < 12; k++) {
        v = v * v;
        v += c - 0.25f * c;
    }
    y[i] = v;
    k[i] = (z[i] ? 1 : 0) + c(3);
}
