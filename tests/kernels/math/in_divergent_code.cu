/* Math functions called in branches and loops where some lanes hold values outside the domain.

   let    n = 500
   in     x = floats(n, f4, -3, 3)
   out    y = empty(n, f4)
   def    f(v):
              if v > 0: return sqrt(v) + log(v)
              if v > -1: return arcsin(v)
              k = 0
              while v < 1 and k < 50: v = exp(v) * 0.9 + 0.1; k += 1
              return v + k
   call   domains(x, y, n)
   near   1e-5 y = [f(float(v)) for v in x]
*/
extern "C" __global__ void domains(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i], r;
    if (v > 0) {
        r = sqrtf(v) + logf(v);
    } else if (v > -1) {
        r = asinf(v);
    } else {
        int k = 0;
        while (v < 1 && k < 50) {
            v = expf(v) * 0.9f + 0.1f;
            k++;
        }
        r = v + k;
    }
    y[i] = r;
}
