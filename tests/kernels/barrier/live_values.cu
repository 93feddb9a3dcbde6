/* Many values of many types live across three barriers, some changed in between.

   vary   grid = 1, 2
   let    n = threads * grid
   in     x = ints(-99, 99, n)
   out    y = empty(n, f8)
   let    b = x.reshape(grid, threads).astype(i8)
   let    next = roll(b, -1, 1)
   let    i = arange(n).reshape(grid, threads)
   let    shifted = x.view(i2)[:grid, None] + arange(threads)
   call   live(x, y)
   near   1e-12 y = (b * 3 + next + wrap(b, i1) * 0.5 + (b > 0) * 7 + i * 2.0**33 + roll(wrap(b, i1) * 0.5, -1, 1) + where(b % 2 == 0, next * next, -next) + shifted).reshape(-1)
*/
extern "C" __global__ void live(const int *x, double *y)
{
    __shared__ double s[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, next = (t + 1) % blockDim.x;
    int v = x[i];
    signed char low = v;
    bool positive = v > 0;
    long long wide = (long long)i << 33;
    double half = low * 0.5;
    float seven = 7.0f;
    const int *mine = x + i;
    short shifted = ((const short *)x)[blockIdx.x] + (short)t;
    s[t] = v;
    __syncthreads();
    int neighbour = (int)s[next];
    v *= 3;
    __syncthreads();
    s[t] = half;
    __syncthreads();
    double other = s[next];
    double extra = *mine % 2 == 0 ? neighbour * neighbour : -neighbour;
    y[i] = v + neighbour + half + (positive ? seven : 0.0f) + wide + other + extra + shifted;
}
