/* uniformity.c: a vector takes threads of one row, so threadIdx.y and .z are the same in all lanes. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    y[threadIdx.y * blockDim.x + threadIdx.x] = x[threadIdx.y] + x[threadIdx.z];
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: gather
// CHECK: load float, ptr
// CHECK-NOT: gather
// CHECK: load float, ptr
// CHECK-NOT: scatter
// CHECK: store <16 x float>
// CHECK: {{^[}]$}}
