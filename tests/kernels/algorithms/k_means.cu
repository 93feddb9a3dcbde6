/* k-means: assignment, sums by doubles added with compare-and-swap in shared and global memory.

   block  32 256 
   vary   n = 1, 700
   in     x = floats((n, 3), f8)
   in     m = floats((5, 3), f8)
   inout  s = zeros((5, 3), f8)
   inout  c = zeros(5, i4)
   out    l = empty(n, i4)
   let    lab = ((x[:, None] - m) ** 2).sum(2).argmin(1)
   call   assign[None, None, 5*3*8+20](x, m, s, c, l, n)
   expect l = lab
   expect c = bincount(lab, minlength=5)
   near   1e-12 s = array([x[lab == k].sum(0) for k in range(5)])
*/
__device__ double add(double *p, double v)
{
    unsigned long long *q = (unsigned long long *)p, old = *q, assumed;
    do {
        assumed = old;
        old = atomicCAS(q, assumed,
                        __double_as_longlong(v + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
extern "C" __global__ void assign(const double *x, const double *m, double *s, int *c,
                                  int *l, int n)
{
    extern __shared__ double sums[];
    int *counts = (int *)(sums + 15);
    for (int k = threadIdx.x; k < 15; k += blockDim.x)
        sums[k] = 0;
    if (threadIdx.x < 5)
        counts[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double best = 1e300;
        int which = -1;
        for (int k = 0; k < 5; k++) {
            double d = 0;
            for (int j = 0; j < 3; j++) {
                double t = x[3 * i + j] - m[3 * k + j];
                d += t * t;
            }
            if (d < best) {
                best = d;
                which = k;
            }
        }
        l[i] = which;
        for (int j = 0; j < 3; j++)
            add(&sums[3 * which + j], x[3 * i + j]);
        atomicAdd(&counts[which], 1);
    }
    __syncthreads();
    if (threadIdx.x < 15)
        add(s + threadIdx.x, sums[threadIdx.x]);
    if (threadIdx.x < 5)
        atomicAdd(c + threadIdx.x, counts[threadIdx.x]);
}
