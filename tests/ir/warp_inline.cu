/* suspension_points.c, callees.c: where lanes may have parted before a warp function, full code still does it inline: all lanes are
   here. Only masked code asks whether to wait. */
// RUN: %regions | filecheck --check-prefix=REGIONS %s
// RUN: %optimize | filecheck %s
extern "C" __global__ void k(float *y, int n)
{
    float v = y[threadIdx.x];
    if (v > 0)
        v += __shfl_xor_sync(__activemask(), v, 1);
    y[threadIdx.x] = v;
}
// REGIONS-LABEL: define i32 @k.region.0(
// REGIONS: call i1 @hc.suspend(
// REGIONS: call void @hc.put(
// REGIONS: call i32 @__hostcc_shuffle_xor_32(
// REGIONS-LABEL: define i32 @k.region.1(
// CHECK-LABEL: define internal i32 @k.pass.0.0(
// CHECK: {{^}}all.i
// CHECK-NOT: ret
// CHECK: shufflevector <32 x {{i32|float}}> {{.*}} <i32 1, i32 0, i32 3,
// CHECK: {{^[}]$}}
