/* selected_loads.c: a load from one of two addresses, which LLVM makes of `c ? a[i] : b[0]`, becomes a branch around two
   loads again: none of them is a gather. */
// RUN: %regions | filecheck --check-prefix=BEFORE %s
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *a, const float *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = y[i] < 0 ? a[i] : b[0];
}
// BEFORE-LABEL: define i32 @k.region.0(
// BEFORE: [[P:%[-.a-zA-Z0-9_]+]] = select i1 {{.*}}, ptr {{.*}}, ptr
// BEFORE: load float, ptr [[P]]
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: gather
// CHECK: {{^}}all:
// CHECK-NEXT: br label %[[ALL:full[0-9]+]]
// CHECK: {{^}}none:
// CHECK-NEXT: br label %[[NONE:full[0-9]+]]
// CHECK: {{^}}[[ALL]]:
// CHECK: load <16 x float>, ptr
// CHECK: {{^}}[[NONE]]:
// CHECK: load float, ptr
// CHECK-NOT: gather
// CHECK-LABEL: define internal i32 @k.region.0.masked(
// CHECK-NOT: gather
// CHECK-LABEL: define internal void @k.run.0(
