/* interleave.c: stores to all members of structures wait for the last one and go out in whole registers. */
// RUN: %vectors | filecheck %s
struct pair { float re, im; };
extern "C" __global__ void k(pair *y, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i].re = x[i];
    y[i].im = -x[i];
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: scatter
// CHECK: shufflevector <16 x float> {{.*}} <i32 0, i32 16, i32 1, i32 17,
// CHECK: store <16 x float>
// CHECK: shufflevector <16 x float> {{.*}} <i32 8, i32 24, i32 9, i32 25,
// CHECK: store <16 x float>
// CHECK-NOT: store
// CHECK-NOT: scatter
// CHECK-LABEL: define internal i32 @k.region.0.masked(
