/* Prices of options: many inputs, a polynomial for the normal distribution, two outputs.

   vary   grid = 1, 4
   let    n = 700
   in     s = floats(n, f4, 5, 30)
   in     x = floats(n, f4, 1, 100)
   in     t = floats(n, f4, 0.25, 10)
   out    call_ = empty(n, f4)
   out    put_ = empty(n, f4)
   let    S = s.astype(f8)
   let    X = x.astype(f8)
   let    T = t.astype(f8)
   let    erf = vectorize(__import__("math").erf)
   def    cnd(d): return 0.5 * (1 + erf(d / sqrt(2)))
   let    d1 = (log(S / X) + (0.02 + 0.045) * T) / (0.3 * sqrt(T))
   let    d2 = d1 - 0.3 * sqrt(T)
   let    want = S * cnd(d1) - X * exp(-0.02 * T) * cnd(d2)
   call   price(s, x, t, call_, put_, 0.02, 0.3, n)
   near   2e-4 call_ = want
   near   2e-4 put_ = want + X * exp(-0.02 * T) - S
*/
__device__ float distribution(float d)
{
    const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f,
                a5 = 1.330274429f;
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float c = 0.39894228040143f * expf(-0.5f * d * d) *
              (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
    return d > 0 ? 1.0f - c : c;
}

extern "C" __global__ void price(const float *__restrict__ s, const float *__restrict__ x,
                                 const float *__restrict__ t, float *__restrict__ call,
                                 float *__restrict__ put, float r, float v, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        float root = sqrtf(t[i]);
        float d1 = (logf(s[i] / x[i]) + (r + 0.5f * v * v) * t[i]) / (v * root);
        float d2 = d1 - v * root;
        float discount = expf(-r * t[i]);
        float p = distribution(d1), q = distribution(d2);
        call[i] = s[i] * p - x[i] * discount * q;
        put[i] = x[i] * discount * (1.0f - q) - s[i] * (1.0f - p);
    }
}
