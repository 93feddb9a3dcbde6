/* state_machine.c: only kernels that need real warps are cut a second time, for blocks whose rows are not whole warps. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void rows(float *y)
{
    y[threadIdx.x] *= threadIdx.y;
}
extern "C" __global__ void warps(float *y)
{
    y[threadIdx.x] *= __shfl_xor_sync(~0u, threadIdx.y, 1);
}
// CHECK-NOT: @rows.linear
// CHECK: define internal void @rows.run.0(
// CHECK-NOT: @rows.linear
// CHECK-NOT: @rows.run.1
// CHECK: define internal i32 @warps.region.0.full(
// CHECK: define internal void @warps.run.0(
// CHECK: define internal i32 @warps.linear.region.0.full(
// CHECK: define internal void @warps.run.1(
