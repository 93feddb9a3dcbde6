/* Macros from options and in the source, conditional parts, __CUDA_ARCH__, line continuation.

   options -DFACTOR=6 -D SHIFT=2
   let    n = 75
   in     x = ints(0, 99, n)
   out    y = empty(n, i4)
   call   macros(x, y, n)
   expect y = maximum(x * 6 + 2, 100) + 1 + 5
*/
#define GLOBAL_INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define STORE(to, value)                                                                           \
    do {                                                                                           \
        to = value;                                                                                \
    } while (0)
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 700
#define EXTRA 1
#else
#define EXTRA 1000
#endif
#ifndef SHIFT
#error "SHIFT is not defined"
#endif

extern "C" __global__ void macros(const int *x, int *y, int n)
{
    int i = GLOBAL_INDEX;
    if (i < n)
        STORE(y[i], LARGER(x[i] * FACTOR + SHIFT, 100) + EXTRA + sizeof("text"));
}
