/* loop_kinds.c, suspension_points.c, callees.c: a loop that strides over the grid, and whose
   threads do not all do the same, goes in step: vectors suspend at its latch, so that neighbours
   in memory are touched one after the other; such kernels have vectors of two registers. access.c: each of its streams
   is asked for 16 vectors ahead. */
// RUN: %regions | filecheck --check-prefix=REGIONS %s
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = threadIdx.x * x[i];
}
// REGIONS-LABEL: define i32 @k.region.0(
// REGIONS: call i1 @hc.lockstep(i1 true)
// REGIONS-LABEL: define i32 @k.region.1(
// REGIONS: call i1 @hc.lockstep(i1 true)
// REGIONS: {{^[}]$}}
// CHECK-LABEL: define internal i32 @k.region.1.full(
// CHECK: load <32 x float>, ptr [[P:%[-.a-zA-Z0-9_]+]]
// CHECK: [[NEXT:%[-.a-zA-Z0-9_]+]] = getelementptr i8, ptr [[P]], i64 2048
// CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[NEXT]], i32 0, i32 3, i32 1)
// CHECK-NEXT: [[NEXT:%[-.a-zA-Z0-9_]+]] = getelementptr i8, ptr [[P]], i64 2112
// CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[NEXT]], i32 0, i32 3, i32 1)
// CHECK: store <32 x float>
// CHECK: [[AHEAD:%[-.a-zA-Z0-9_]+]] = load i32, ptr %ahead
// CHECK: [[NOW:%[-.a-zA-Z0-9_]+]] = icmp eq i32 [[AHEAD]], 3
// CHECK: br i1 [[NOW]], label %yes, label %no
// CHECK: {{^[}]$}}
