/* atomics.c: where many lanes add to one place and nobody reads what was there, they are added up first. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(int *sum, unsigned *most, const int *x)
{
    int v = x[blockIdx.x * blockDim.x + threadIdx.x];
    atomicAdd(sum, v);
    atomicMax(most, v);
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: each.lane
// CHECK: [[SUM:%[-.a-zA-Z0-9_]+]] = call i32 @llvm.vector.reduce.add.v16i32(
// CHECK-NEXT: atomicrmw add ptr {{.*}}, i32 [[SUM]]
// CHECK: [[MOST:%[-.a-zA-Z0-9_]+]] = call i32 @llvm.vector.reduce.umax.v16i32(
// CHECK-NEXT: atomicrmw umax ptr {{.*}}, i32 [[MOST]]
// CHECK-NOT: each.lane
// CHECK: {{^[}]$}}
