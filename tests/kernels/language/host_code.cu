/* Host code beside kernels is not compiled, and may call what is declared nowhere; what it launches tells
   which kernels of a template there are.

   let    n = 100
   inout  x = floats(n)
   inout  y = ints(-9, 9, n)
   call   _Z5scaleIfEvPT_S0_i(x, f4(3), n)
   call   _Z5scaleIiEvPT_S0_i(y, 2, n)
   call   _Z5applyI5TwiceEvPfT_i(x, void(1), n)
   expect x = x * f4(3) * f4(2)
   expect y = y * 2
   nvcc
*/
#include <cuda_runtime.h>
#include <stdio.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <getopt.h>
#include <omp.h>

#define CHECK(call)                                                         \
    do {                                                                    \
        cudaError_t status = call;                                          \
        if (status != cudaSuccess)                                          \
            fprintf(stderr, "%s\n", cudaGetErrorString(status)), exit(1);   \
    } while (0)

template <class T> __global__ void scale(T *x, T by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= by;
}

struct Twice {
    __device__ float operator()(float x) const { return 2 * x; }
};
template <class F> __global__ void apply(float *x, F f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = f(x[i]);
}

template <class F> static void launch(float *x, F f, int n, cudaStream_t stream)
{
    apply<<<(n + 255) / 256, 256, 0, stream>>>(x, f, n);
    CHECK(cudaGetLastError());
}

static void draw(cudaGraphicsResource **shown, cudaGraphicsResource_t hidden) {}

static long size_of(const char *name)
{
    struct stat file;
    return stat(name, &file) ? -1 : file.st_size;
}

static_assert(cudaAccessPropertyPersisting == 2, "");

int main(int argc, char **argv)
{
    float *x;
    int *y, n = 100;
    cudaDeviceProp properties;
    cudaStream_t stream;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc(&x, n * sizeof *x));
    CHECK(cudaMalloc((void **)&y, n * sizeof *y));
    CHECK(cudaFuncSetAttribute(scale<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
#ifdef __HOSTCC__
    declared::nowhere(x, [&](auto k) { return k.more; });
#endif
    auto both = [&] { scale<<<1, 128, 0, stream>>>(y, 2, n); };
    both();
    launch(x, Twice(), n, stream);
    printf("%s %d %ld %d\n", properties.name, properties.multiProcessorCount, size_of(argv[0]), omp_get_num_procs());
    return 0;
}
