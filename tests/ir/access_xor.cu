/* uniformity.c: an exclusive or with all bits that differ from lane to lane turns the lanes around. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    y[threadIdx.x] = x[threadIdx.x ^ 31];
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: gather
// CHECK: load <16 x float>, ptr
// CHECK-NEXT: shufflevector <16 x float> {{.*}} <i32 15, i32 14, {{.*}}, i32 1, i32 0>
// CHECK: {{^[}]$}}
