/* A divergent loop in a divergent loop; the inner bound depends on the outer counter.

   let    n = 400
   in     x = ints(0, 12, n)
   out    y = empty(n, i4)
   def    f(v): return sum([j * k + 1 for j in range(v) for k in range(j, v + j % 3)] or [0])
   call   nest(x, y, n)
   expect y = [f(int(v)) for v in x]
*/
extern "C" __global__ void nest(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = x[i], sum = 0;
    for (int j = 0; j < v; j++)
        for (int k = j; k < v + j % 3; k++)
            sum += j * k + 1;
    y[i] = sum;
}
