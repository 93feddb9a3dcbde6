/* Maximum and minimum of floats, negative ones too, by compare-and-swap on their bits.

   vary   n = 2000, 5
   in     x = floats(n)
   inout  y = array([-inf, inf], f4)
   call   extremes(x, y, n)
   expect y = [x.max(), x.min()]
*/
__device__ float atomic_max(float *to, float v)
{
    int *bits = (int *)to, old = *bits, seen;
    do {
        seen = old;
        if (__int_as_float(seen) >= v)
            break;
        old = atomicCAS(bits, seen, __float_as_int(v));
    } while (seen != old);
    return __int_as_float(old);
}

__device__ float atomic_min(float *to, float v)
{
    int *bits = (int *)to, old = *(volatile int *)bits;
    while (v < __int_as_float(old)) {
        int seen = old;
        old = atomicCAS(bits, seen, __float_as_int(v));
        if (seen == old)
            return v;
    }
    return __int_as_float(old);
}

extern "C" __global__ void extremes(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomic_max(&y[0], x[i]);
        atomic_min(&y[1], x[i]);
    }
}
