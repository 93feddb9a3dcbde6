/* All threads add to a few numbers by compare and swap, as the CUDA C++ Programming Guide does without atomicAdd(double).

   vary   n = 50003, 31
   vary   few = 1, 3
   in     x = ints(0, 100, n).astype(f8)
   in     at = ints(0, few - 1, n, i4)
   inout  sums = zeros(few, f8)
   inout  most = zeros(few, f4)
   call   add_all(sums, most, at, x, n)
   expect sums = np.array([x[at == k].sum() for k in range(few)])
   expect most = np.array([x[at == k].max(initial=0) for k in range(few)], f4)
*/
__device__ double add(double *address, double value)
{
    unsigned long long *word = (unsigned long long *)address, old = *word, assumed;
    do {
        assumed = old;
        old = atomicCAS(word, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__device__ void maximum(float *address, float value)
{
    float old = *address, assumed;
    while (value > old) {
        assumed = old;
        old = __int_as_float(atomicCAS((int *)address, __float_as_int(assumed), __float_as_int(value)));
        if (old == assumed)
            break;
    }
}

extern "C" __global__ void add_all(double *sums, float *most, const int *at, const double *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        add(sums + at[i], x[i]);
        maximum(most + at[i], (float)x[i]);
    }
}
