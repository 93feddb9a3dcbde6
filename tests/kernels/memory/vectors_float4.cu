/* float4 loads and stores, members and make_float4; float2 by cast of the same memory.

   let    n = 250
   in     x = floats((n, 4))
   out    y = empty((n, 4), f4)
   out    z = empty((n, 2), f4)
   call   turn(x, y, z, n)
   expect y = stack([x[:, 3], x[:, 0] + 1, -x[:, 1], x[:, 2]], 1)
   expect z = x[:, 2:] - x[:, :2]
*/
extern "C" __global__ void turn(const float4 *x, float4 *y, float2 *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 v = x[i];
    y[i] = make_float4(v.w, v.x + 1, -v.y, v.z);
    const float2 *half = reinterpret_cast<const float2 *>(x);
    float2 a = half[2 * i], b = half[2 * i + 1];
    z[i] = make_float2(b.x - a.x, b.y - a.y);
}
