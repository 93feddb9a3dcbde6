/* access.c, uniformity.c: an unsigned index that wraps around at thread 0 is consecutive, too: its base is taken as negative
   there. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i - 1];
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: gather
// CHECK: [[SIGNED:%[-.a-zA-Z0-9_]+]] = sext i32 {{.*}} to i64
// CHECK-NEXT: [[BASE:%[-.a-zA-Z0-9_]+]] = select i1 {{.*}}, i64 [[SIGNED]], i64
// CHECK: [[P:%[-.a-zA-Z0-9_]+]] = getelementptr float, ptr {{.*}}, i64 [[BASE]]
// CHECK: load <16 x float>, ptr [[P]]
// CHECK-NOT: scatter
// CHECK: {{^[}]$}}
