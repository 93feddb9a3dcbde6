/* Functions whose declarations differ in where they run: methods and constructors defined behind their class, templates of them,
   free functions. They run on both.

   block  33
   nvcc
   let    grid = 1
   out    y = empty(33, i4)
   call   all_of_them(y)
   expect y = 10 * arange(33) + 46
*/
struct Counter {
    __host__ __device__ Counter(int first);
    __device__ ~Counter();
    __device__ int next();
    __host__ __device__ int seen() const;
    int twice() const;
    static __device__ int three();
    __host__ __device__ bool operator<(const Counter &other) const;
    int count;
    int *ends;
};

Counter::Counter(int first) : count(first), ends(nullptr) {}

Counter::~Counter()
{
    if (ends)
        *ends += 1;
}

int Counter::next()
{
    return ++count;
}

__device__ int Counter::seen() const
{
    return count;
}

__host__ __device__ int Counter::twice() const
{
    return 2 * count;
}

int Counter::three()
{
    return 3;
}

bool Counter::operator<(const Counter &other) const
{
    return count < other.count;
}

template <class T> struct Pair {
    __host__ __device__ Pair();
    template <class U> __host__ __device__ T dot(const Pair<U> &other) const;
    T a, b;
};

template <class T> Pair<T>::Pair() : a(2), b(3) {}

template <class T> template <class U> T Pair<T>::dot(const Pair<U> &other) const
{
    return a * other.a + b * other.b;
}

__device__ int declared(int);
__host__ __device__ int of_both(int);
template <class T> __device__ T of_any(T);

extern "C" __global__ void all_of_them(int *y)
{
    int lane = threadIdx.x, ends = 0;
    {
        Counter one(lane), other(lane + 1);
        one.ends = &ends;
        y[lane] = one.next() + other.seen() + other.twice() + Counter::three() +
                  (one < other);
    }
    y[lane] += ends + Pair<int>().dot(Pair<float>()) + declared(lane) + of_both(lane) +
               of_any(4 * lane);
}

int declared(int x)
{
    return x + 2;
}

int of_both(int x)
{
    return x + 3;
}

template <class T> T of_any(T x)
{
    return x + 20;
}
