/* All-pairs forces with bodies read tile by tile through shared memory; the last tile is partial.

   block  1 32 64 100
   let    n = 150
   in     p = floats((n, 4)) + array([0, 0, 0, 2], f4)
   out    a = empty((n, 3), f4)
   let    q = p.astype(f8)
   let    d = q[None, :, :3] - q[:, None, :3]
   let    r = (d * d).sum(2) + 0.01
   call   forces[None, None, 16 * threads](p, a, n)
   near   1e-4 a = (d * (q[:, 3] / r ** 1.5)[..., None]).sum(1)
*/
extern "C" __global__ void forces(const float4 *p, float *a, int n)
{
    extern __shared__ float4 tile[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float4 me = i < n ? p[i] : make_float4(0, 0, 0, 0);
    float3 sum = make_float3(0, 0, 0);
    for (int first = 0; first < n; first += blockDim.x) {
        if (first + t < n)
            tile[t] = p[first + t];
        __syncthreads();
        int count = min((int)blockDim.x, n - first);
        for (int k = 0; k < count; k++) {
            float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float f = tile[k].w * inverse * inverse * inverse;
            sum.x += f * dx;
            sum.y += f * dy;
            sum.z += f * dz;
        }
        __syncthreads();
    }
    if (i < n) {
        a[3 * i] = sum.x;
        a[3 * i + 1] = sum.y;
        a[3 * i + 2] = sum.z;
    }
}
