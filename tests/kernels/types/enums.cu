/* Plain, typed and scoped enumerations in memory, in switches and as template arguments.

   let    n = 200
   in     x = ints(0, 3, n, u1)
   out    y = empty(n, i4)
   call   colours(x, y, n)
   expect y = array([5, -20, 330, 7])[x]
*/
enum class colour : unsigned char { red, green, blue, none };
enum weight { LIGHT = 5, HEAVY = -20 };

template <colour C> __device__ int value()
{
    return C == colour::blue ? 330 : 7;
}

extern "C" __global__ void colours(const colour *x, weight *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    switch (x[i]) {
    case colour::red:
        y[i] = LIGHT;
        break;
    case colour::green:
        y[i] = HEAVY;
        break;
    case colour::blue:
        y[i] = (weight)value<colour::blue>();
        break;
    default:
        y[i] = (weight)value<colour::none>();
    }
}
