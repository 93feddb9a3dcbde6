/* interleave.c: the same for neighbours in an array of numbers. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[2 * i] + x[2 * i + 1];
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK: {{^}}full:
// CHECK-NOT: gather
// CHECK-COUNT-2: load <16 x float>
// CHECK-NOT: load
// CHECK: store <16 x float>
// CHECK: {{^[}]$}}
