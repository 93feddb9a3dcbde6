/* A float3 accumulated in a divergent loop, then stored as three floats.

   let    n = 190
   in     k = ints(0, 9, n)
   in     x = floats((10, 3))
   out    y = empty((n, 3), f4)
   call   gather(k, x, y, n)
   near   1e-6 y = [x[:m].astype(f8).sum(0) for m in k]
*/
extern "C" __global__ void gather(const int *k, const float3 *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float3 s = make_float3(0, 0, 0);
    for (int m = 0; m < k[i]; m++) {
        s.x += x[m].x;
        s.y += x[m].y;
        s.z += x[m].z;
    }
    const float *p = &s.x;
    for (int m = 0; m < 3; m++)
        y[3 * i + m] = p[m];
}
