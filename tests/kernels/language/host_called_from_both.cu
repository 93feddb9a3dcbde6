/* Functions for host and device that call host functions where no thread of a kernel comes: declared ones, templates, methods,
   constructors, in lambdas. A thread that comes there ends the launch with an error.

   block  33
   nvcc
   let    grid = 1
   out    y = empty(33, i4)
   inout  z = zeros(33, i4)
   call   checked(y, 5)
   expect y = arange(33) + 105
   call   checked(z, -2)
   fails  [Ll]aunch|[Ii]llegal|[Uu]nspecified|trap
*/
#include <string>
#include <vector>

void tell(int value);
template <class T> T told(T value)
{
    std::vector<T> all(3, value);
    tell(all[1]);
    return value;
}

struct Record {
    int kept;
    Record(const char *text) : kept(std::string(text).size())
    {
        std::vector<int> all(kept);
        tell(all.back());
    }
    int total() const
    {
        std::vector<int> all(3, kept);
        return all[0] + all[2];
    }
    static int of_all();
};

template <class T> struct Sum {
    T sum;
    __host__ __device__ void add(T value)
    {
        if (false)
            sum += told(value);
        if (value < 0)
            sum += Record("negative").total() + Record::of_all();
        auto tell_large = [](T v) { if (v > 1000) tell(v); };
        tell_large(value);
        sum += value;
    }
};

extern "C" __global__ void checked(int *y, int added)
{
    Sum<int> s{100};
    s.add((int)threadIdx.x + added);
    y[threadIdx.x] = s.sum;
}
