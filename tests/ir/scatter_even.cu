/* gather.c: the same for stores. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i * pitch] = x[i];
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: scatter
// CHECK: load <16 x float>
// CHECK-COUNT-16: store float {{.*}}, ptr
// CHECK-NOT: scatter
// CHECK-LABEL: define internal i32 @k.region.0.masked(
