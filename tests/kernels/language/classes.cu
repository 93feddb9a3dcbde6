/* Classes with constructors, methods, static members, inheritance and a destructor that writes.

   let    n = 100
   in     x = ints(-20, 20, n)
   inout  log = zeros(n, i4)
   out    y = empty(n, i4)
   call   classes(x, y, log, n)
   expect y = where(x % 2 == 0, x * x + 100, x + 1007)
   expect log = where(x % 2 == 0, 1, 2)
*/
class shape {
  protected:
    int size;

  public:
    static const int base = 100;
    __device__ explicit shape(int s) : size(s)
    {
    }
    __device__ int area() const
    {
        return size * size + base;
    }
};

class counted : public shape {
    int *count;

  public:
    __device__ counted(int s, int *c) : shape(s), count(c)
    {
    }
    __device__ ~counted()
    {
        ++*count;
    }
    __device__ int area() const
    {
        return size + 907 + base;
    }
};

extern "C" __global__ void classes(const int *x, int *y, int *log, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    counted thing(x[i], &log[i]);
    if (x[i] % 2 == 0) {
        y[i] = static_cast<const shape &>(thing).area();
        return;
    }
    counted other(0, &log[i]);
    y[i] = thing.area();
}
