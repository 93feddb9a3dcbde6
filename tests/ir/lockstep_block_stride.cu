/* loop_kinds.c, suspension_points.c: the same for a loop that strides over the block, which lets a lone vector go on. */
// RUN: %regions | filecheck --check-prefix=REGIONS %s
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[i] = 2 * x[i];
}
// REGIONS-LABEL: define i32 @k.region.1(
// REGIONS: call i1 @hc.lockstep(i1 false)
// REGIONS: {{^[}]$}}
// CHECK-LABEL: define internal i32 @k.region.1.full(
// CHECK: load <32 x float>
// CHECK-NOT: %ahead
// CHECK: [[MORE:%[-.a-zA-Z0-9_]+]] = icmp ne i32 {{.*}}, 1
// CHECK: br i1 [[MORE]], label %yes, label %no
// CHECK: {{^[}]$}}
