/* Pointers to member functions, plain and virtual, another in each lane.

   in     first = ints(0, 1, threads)
   in     second = ints(0, 2, threads)
   out    y = empty(threads, i4)
   out    z = empty(threads, i4)
   call   members[1, None, 0](first, second, y, z)
   let    t = arange(threads)
   expect y = choose(first, [10 + t, 3 - t])
   let    converted = choose(first, [20 + t, 3 - 2 * t])
   expect z = choose(second, [converted, t // 2, 3 - 2 * t])
*/
struct counter {
    int x, z;

    __device__ int sum(int a)
    {
        return x += a;
    }
    __device__ virtual int difference(int a)
    {
        return z - a;
    }
};

struct other {
    double unused;

    __device__ virtual int nothing()
    {
        return 0;
    }
};

struct derived : other, counter {
    __device__ int difference(int a) override
    {
        return z - 2 * a;
    }
    __device__ int half(int a)
    {
        return a / 2;
    }
};

typedef int (counter::*method)(int);
typedef int (derived::*method_of_derived)(int);

extern "C" __global__ void members(const int *first, const int *second, int *y, int *z)
{
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    counter c;
    c.x = 10, c.z = 3;
    derived d;
    d.x = 20, d.z = 3;
    method m = first[t] ? &counter::difference : &counter::sum;
    y[t] = (c.*m)(t);
    /* The conversion adds 16 to one number of the pair. */
    method_of_derived n = second[t] == 0   ? (method_of_derived)m
                          : second[t] == 1 ? &derived::half
                                           : (method_of_derived)&derived::difference;
    z[t] = (d.*n)(t);
}
