/* selected_loads.c: an index that is clamped, of which LLVM makes a maximum, a saturating difference or a widened
   condition, becomes one test for the vector, of lane 0 alone, between a consecutive load and the gather; also where
   both ends clamp. Loads that hang on the same clamp share the test. */
// RUN: %regions | filecheck --check-prefix=BEFORE %s
// RUN: %vectors | filecheck %s
extern "C" __global__ void least(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[max(i - 1, 0)];
}
extern "C" __global__ void within(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[min(max(i + 2, 0), n)];
}
extern "C" __global__ void saturates(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i == 0 ? i : i - 1];
}
extern "C" __global__ void last(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i == n ? i : i + 1];
}
extern "C" __global__ void both(float *y, const float *x, const float *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = max(i - 1, 0);
    y[i] = x[at] + z[at];
}
// BEFORE-LABEL: define i32 @least.region.0(
// BEFORE: @llvm.smax.i32
// BEFORE-LABEL: define i32 @within.region.0(
// BEFORE: @llvm.smin.i32
// BEFORE-LABEL: define i32 @saturates.region.0(
// BEFORE: @llvm.usub.sat.i32
// BEFORE-LABEL: define i32 @last.region.0(
// BEFORE: zext i1
// CHECK-LABEL: define internal i32 @least.region.0.full(
// CHECK-NOT: masked.gather
// CHECK: br i1 {{.*}}, label %yes, label %no
// CHECK: {{^}}yes:
// CHECK-NEXT: br label %[[PLAIN:full[0-9]*]]
// CHECK: {{^}}no:
// CHECK-NEXT: br label %[[GATHER:full[0-9]*]]
// CHECK: {{^}}[[PLAIN]]:
// CHECK: load <16 x float>, ptr
// CHECK: {{^}}[[GATHER]]:
// CHECK: masked.gather.v16f32
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @least.region.0.masked(
// CHECK: masked.load.v16f32
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @within.region.0.full(
// CHECK: icmp sge i32
// CHECK: icmp sle i32
// CHECK: br i1 {{.*}}, label %yes, label %no
// CHECK: load <16 x float>, ptr
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @saturates.region.0.full(
// CHECK: br i1 {{.*}}, label %yes, label %no
// CHECK: load <16 x float>, ptr
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @last.region.0.full(
// CHECK: br i1 {{.*}}, label %yes, label %no
// CHECK: load <16 x float>, ptr
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @both.region.0.full(
// CHECK: {{^}}yes:
// CHECK-NOT: {{^}}yes
// CHECK-COUNT-2: load <16 x float>, ptr
// CHECK-NOT: {{^}}yes
// CHECK: {{^[}]$}}
