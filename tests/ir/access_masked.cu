/* access.c: under a mask, consecutive lanes are still one access, not a gather. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + 1;
}
// CHECK-LABEL: define internal i32 @k.region.0.masked(
// CHECK-NOT: gather
// CHECK: @llvm.masked.load.v16f32.p0(ptr
// CHECK-NOT: scatter
// CHECK: @llvm.masked.store.v16f32.p0(<16 x float> {{.*}}, ptr
// CHECK-NOT: scatter
// CHECK-LABEL: define internal void @k.run.0(
