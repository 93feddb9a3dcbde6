/* access.c: lanes that run backwards through memory are one access and a shuffle that reverses it. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[n - 1 - i] = x[n - i] + 1;
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: gather
// CHECK: load <16 x float>, ptr
// CHECK-NEXT: shufflevector <16 x float> {{.*}} <i32 15, i32 14, {{.*}}, i32 1, i32 0>
// CHECK-NOT: scatter
// CHECK: shufflevector <16 x float> {{.*}} <i32 15, i32 14, {{.*}}, i32 1, i32 0>
// CHECK-NEXT: store <16 x float>
// CHECK-NOT: scatter
// CHECK-LABEL: define internal i32 @k.region.0.masked(
