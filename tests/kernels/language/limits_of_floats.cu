/* Names of <float.h> are a program's own where it does not include that.

   block  32
   in     x = floats(32)
   out    y = empty((32, 3), f4)
   call   f(x, y)
   expect y[:, 0] = maximum(x, f4(-3.40282347e+38))
   expect y[:, 1] = f4(1.19209290e-07)
   expect y[:, 2] = 24
*/
namespace own
{
const float FLT_MAX = 3.40282347e+38F;
const float FLT_EPSILON = 1.19209290e-07F;
const int FLT_MANT_DIG = 24;
} // namespace own

extern "C" __global__ void f(const float *x, float *y)
{
    int k = threadIdx.x;
    y[3 * k] = fmaxf(x[k], -own::FLT_MAX);
    y[3 * k + 1] = own::FLT_EPSILON;
    y[3 * k + 2] = own::FLT_MANT_DIG;
}
