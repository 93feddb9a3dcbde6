/* Functions of the runtime are arguments of host code's templates, with the parameters
   that C knows.

   let    n = 64
   inout  x = floats(n)
   call   _Z3addIfEvPT_S0_i(x, f4(1), n)
   expect x = x + 1
   nvcc
*/
#include <cuda_runtime.h>

template <cudaError_t (*get)(void **, size_t), cudaError_t (*release)(void *)>
struct Memory {
    void *p = nullptr;
    explicit Memory(size_t size)
    {
        get(&p, size);
    }
    ~Memory()
    {
        release(p);
    }
};
using Device = Memory<cudaMalloc, cudaFree>;
using Pinned = Memory<cudaMallocHost, cudaFreeHost>;

template <class T> __global__ void add(T *x, T by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += by;
}

template <class M> void run(int n)
{
    M memory(n * sizeof(float));
    add<<<1, 64>>>((float *)memory.p, 1.f, n);
}

namespace
{
struct Local {
    float value;
};
template <class T> __global__ void clear(T *x)
{
    x[threadIdx.x] = T();
}
} // namespace

template <class F> int blocks(F kernel)
{
    int n = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel, 64, 0);
    return n;
}

int main()
{
    float *more;
    cudaMallocHost(&more, 64, cudaHostAllocDefault);
    run<Device>(64);
    run<Pinned>(64);
    clear<<<blocks(clear<Local>), 64>>>((Local *)more);
    return 0;
}
