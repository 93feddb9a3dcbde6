/* gather.c: where the distance from lane to lane is known at run time, lanes are loaded one by one from addresses
   that are scalars, in place of a gather. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i * pitch];
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: gather
// CHECK-COUNT-16: load float, ptr
// CHECK-NOT: gather
// CHECK: store <16 x float>
// CHECK-LABEL: define internal i32 @k.region.0.masked(
