/* gather.c: a function with more than 16 gathers keeps them, for the sake of compile time. */
// RUN: %gathers | filecheck %s
extern "C" __global__ void k(float *y, const float *x, const int *from)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int j = 0; j < 20; j++)
        sum += x[from[i] * from[i + j]];
    y[i] = sum;
}
// CHECK-LABEL: define internal void @k.run.0(
// CHECK-COUNT-20: call <16 x float> @llvm.masked.gather
// CHECK: {{^[}]$}}
