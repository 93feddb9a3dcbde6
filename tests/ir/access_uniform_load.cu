/* access.c, uniformity.c: what all lanes read from one place is one scalar load. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[blockIdx.x] * 2;
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK: {{^}}full:
// CHECK-NOT: load <16
// CHECK-NOT: gather
// CHECK: load float, ptr
// CHECK-NEXT: fmul contract float {{.*}}, 2.0
// CHECK-NOT: fmul
// CHECK: store <16 x float>
// CHECK-LABEL: define internal i32 @k.region.0.masked(
