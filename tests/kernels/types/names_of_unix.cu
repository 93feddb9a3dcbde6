/* Types that nvcc knows without a header, and fdivide of doubles.

   nvcc
   block  1
   let    grid = 1
   out    sizes = empty(16, i4)
   in     x = array([1.0, 3.0, -7.5])
   out    y = empty(2, f8)
   call   names(sizes, x, y)
   expect sizes = [8, 8, 8, 4, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 8]
   expect y = [x[0] / x[1], x[2] / x[1]]
*/
#include <cuda_device_runtime_api.h>

extern "C" __global__ void names(int *sizes, const double *x, double *y)
{
    const size_t size[] = {sizeof(ssize_t),   sizeof(time_t),    sizeof(off_t),     sizeof(pid_t),
                           sizeof(u_int8_t),  sizeof(u_int16_t), sizeof(u_int32_t), sizeof(u_int64_t),
                           sizeof(u_char),    sizeof(u_short),   sizeof(u_int),     sizeof(u_long),
                           sizeof(ushort),    sizeof(uint),      sizeof(ulong),     sizeof(quad_t)};
    for (int k = 0; k < 16; k++)
        sizes[k] = (int)size[k];
    static_assert((ssize_t)-1 < 0 && (time_t)-1 < 0 && (u_int16_t)-1 > 0, "signs");
    y[0] = fdivide(x[0], x[1]);
    y[1] = fdivide(x[2], x[1]);
}
