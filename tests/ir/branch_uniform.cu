/* control_flow.c, uniformity.c: a branch that all lanes take the same way stays a branch: no masks. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x < n)
        y[i] = 1;
    else
        y[i + 1] += 2;
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: <16 x i1>
// CHECK: br i1 {{.*}}, label %yes, label %no
// CHECK-NOT: <16 x i1>
// CHECK: {{^[}]$}}
