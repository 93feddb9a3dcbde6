/* interleave.c: the same for lanes that run backwards through an array of structures. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float2 *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[n - i].x - x[n - i].y;
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK: {{^}}full:
// CHECK-NOT: gather
// CHECK-COUNT-2: load <16 x float>
// CHECK-NOT: load
// CHECK: shufflevector <16 x float> {{.*}} <i32 30, i32 28, i32 26, {{.*}}, i32 2, i32 0>
// CHECK: shufflevector <16 x float> {{.*}} <i32 31, i32 29, i32 27, {{.*}}, i32 3, i32 1>
// CHECK-LABEL: define internal i32 @k.region.0.masked(
