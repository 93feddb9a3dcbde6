/* barrier_fusion.c: where nobody can tell a barrier from vectors that run in order, the regions on its two sides run in one
   pass. Here later threads only read what earlier ones wrote, so vectors run upwards. */
// RUN: %regions | filecheck --check-prefix=REGIONS %s
// RUN: %vectors | filecheck %s
// RUN: %optimize | filecheck --check-prefix=OPT %s
extern "C" __global__ void k(float *y, const float *x)
{
    __shared__ float s[260];
    int t = threadIdx.x;
    float mine = x[t];
    s[t + 4] = mine;
    __syncthreads();
    float sum = mine + s[t];
    __syncthreads();
    y[t] = sum * s[t ^ 1];
}
// REGIONS-LABEL: define i32 @k.region.0(
// REGIONS: call ptr @hc.fused(
// REGIONS-NOT: hc.slot
// REGIONS: ret i32 1
// REGIONS-LABEL: define i32 @k.region.1(
// REGIONS: call ptr @hc.fused(
// REGIONS: call ptr @hc.slot(
// REGIONS: ret i32 2
// CHECK-LABEL: define internal i32 @k.pass.0.0(
// CHECK-NOT: sub nuw
// CHECK: call i32 @k.region.0.full(
// CHECK: call i32 @k.region.1.full(
// CHECK: tail call i32 @k.pass.0.2(
// CHECK-NOT: @k.pass.0.1
// CHECK-LABEL: define internal i32 @k.pass.0.2(
// OPT-LABEL: define internal i32 @k.pass.0.0(
// OPT: {{^}}body:
// OPT: [[MINE:%[-.a-zA-Z0-9_]+]] = load <16 x float>
// OPT: store <16 x float> [[MINE]]
// OPT: [[S:%[-.a-zA-Z0-9_]+]] = load <16 x float>
// OPT-NOT: load <16 x float>
// OPT: fadd contract <16 x float> [[MINE]], [[S]]
// OPT: {{^[}]$}}
