/* Gather through one permutation, scatter through another, 32- and 64-bit indices.

   let    n = 777
   in     x = floats(n, f8)
   in     from_ = rng.permutation(n).astype(i4)
   let    order = rng.permutation(n)
   in     to = order.astype(i8)
   out    y = empty(n, f8)
   call   move(x, from_, to, y, n)
   expect y[order] = x[from_]
*/
extern "C" __global__ void move(const double *x, const int *from, const long long *to, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[to[i]] = x[from[i]];
}
