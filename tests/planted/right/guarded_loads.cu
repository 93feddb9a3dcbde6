/* Loads behind guards that a compiler may like to do before them.

   block  64
   let    n = 50
   in     x = ones(n, f4)
   in     p = zeros(1, u8)
   out    y = empty(n, f4)
   call   f(x, p, y, n)
   expect y = 1
*/
extern "C" __global__ void f(const float *x, float *const *p, float *y, int n)
{
    int t = threadIdx.x;
    float v = t < n ? x[t] : 0;
    const float *other = *p;
    if (other && t < n)
        v += other[t];
    if (t < n)
        y[t] = v;
}
