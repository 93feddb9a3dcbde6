/* Matrix product with float4 loads, register tiles and double buffering.

   block  16x16
   let    n = 128
   let    grid = (2, 2)
   in     a = floats((n, n))
   in     b = floats((n, n))
   out    c = empty((n, n), f4)
   call   sgemm(a, b, c, n)
   near   1e-4 c = a @ b
*/
#define BM 64
#define BK 16
#define TM 4
extern "C" __global__ void __launch_bounds__(256)
    sgemm(const float *__restrict__ A, const float *__restrict__ B,
          float *__restrict__ C, int n)
{
    __shared__ float As[2][BK][BM], Bs[2][BK][BM];
    int tid = threadIdx.y * 16 + threadIdx.x;
    int ar = tid / 4, ac = tid % 4 * 4, br = tid / 16, bc = tid % 16 * 4;
    const float *Ap = A + (blockIdx.y * BM + ar) * n + ac,
                *Bp = B + br * n + blockIdx.x * BM + bc;
    float acc[TM][TM] = {}, fa[TM], fb[TM];
    float4 la = *reinterpret_cast<const float4 *>(Ap),
           lb = __ldg(reinterpret_cast<const float4 *>(Bp));
    int buf = 0;
    As[0][ac][ar] = la.x;
    As[0][ac + 1][ar] = la.y;
    As[0][ac + 2][ar] = la.z;
    As[0][ac + 3][ar] = la.w;
    *reinterpret_cast<float4 *>(&Bs[0][br][bc]) = lb;
    __syncthreads();
    for (int k = 0; k < n; k += BK) {
        if (k + BK < n) {
            la = *(const float4 *)(Ap + k + BK);
            lb = *(const float4 *)(Bp + (k + BK) * n);
        }
#pragma unroll
        for (int j = 0; j < BK; j++) {
            *(float4 *)fa = *(float4 *)&As[buf][j][threadIdx.y * TM];
            *(float4 *)fb = *(float4 *)&Bs[buf][j][threadIdx.x * TM];
#pragma unroll
            for (int y = 0; y < TM; y++)
#pragma unroll
                for (int x = 0; x < TM; x++)
                    acc[y][x] += fa[y] * fb[x];
        }
        if (k + BK < n) {
            buf ^= 1;
            As[buf][ac][ar] = la.x;
            As[buf][ac + 1][ar] = la.y;
            As[buf][ac + 2][ar] = la.z;
            As[buf][ac + 3][ar] = la.w;
            *(float4 *)&Bs[buf][br][bc] = lb;
            __syncthreads();
        }
    }
    for (int y = 0; y < TM; y++)
        *(float4 *)(C + (blockIdx.y * BM + threadIdx.y * TM + y) * n + blockIdx.x * BM +
                    threadIdx.x * TM) =
            make_float4(acc[y][0], acc[y][1], acc[y][2], acc[y][3]);
}
