/* access.c: what all lanes store to one place is one store, of the highest lane that runs. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *last, const float *x)
{
    last[blockIdx.x] = x[threadIdx.x];
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK: [[X:%[-.a-zA-Z0-9_]+]] = load <16 x float>
// CHECK: [[LAST:%[-.a-zA-Z0-9_]+]] = extractelement <16 x float> [[X]], i32 15
// CHECK-NEXT: store float [[LAST]], ptr
// CHECK-NOT: store
// CHECK-NOT: scatter
// CHECK-LABEL: define internal i32 @k.region.0.masked(
// CHECK: @llvm.ctlz.i32(
// CHECK: extractelement <16 x float>
// CHECK-NEXT: store float
// CHECK-LABEL: define internal void @k.run.0(
