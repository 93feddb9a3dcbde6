/* Matrix times vector, one warp a row, float4 loads, sum by shuffles.

   block  32 64 256
   let    m = 37
   let    k = 200
   in     a = floats((m, k))
   in     x = floats(k)
   out    y = empty(m, f4)
   let    grid = cdiv(m, threads // 32)
   call   matvec(a, x, y, m, k)
   near   1e-5 y = a.astype(f8) @ x
*/
extern "C" __global__ void matvec(const float4 *a, const float4 *x, float *y, int m, int k)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= m)
        return;
    float sum = 0;
    for (int j = lane; j < k / 4; j += 32) {
        float4 p = a[row * (k / 4) + j], q = x[j];
        sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    }
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0)
        y[row] = sum;
}
