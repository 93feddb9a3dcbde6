/* row_loops.c, lane_rows.c: along rows of each lane's, four iterations become one, which loads 16 bytes of each lane and transposes
   them; so it is with four members of a structure anywhere, and of five the fifth is gathered. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void sums(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[i * n + k];
    y[i] = sum;
}

struct five {
    float a, b, c, d, e;
};

extern "C" __global__ void members(float *y, const five *x, const int *index)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const five *p = x + index[i];
    y[i] = p->a * p->b + p->c * p->d + p->e;
}
// CHECK-LABEL: define internal i32 @sums.region.0.full(
// CHECK-COUNT-16: load <4 x float>
// CHECK: shufflevector <16 x float>
// CHECK-LABEL: define internal i32 @members.region.0.full(
// CHECK-COUNT-16: load <4 x float>
// CHECK: shufflevector <16 x float>
// CHECK: call <16 x float> @llvm.masked.gather.v16f32
// CHECK: {{^[}]$}}
