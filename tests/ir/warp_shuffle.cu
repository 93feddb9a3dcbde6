/* warp_functions.c: a shuffle whose source lanes are constants is one shuffle of registers; a vector is a warp then. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y)
{
    float v = y[threadIdx.x];
    v += __shfl_xor_sync(~0u, v, 1);
    v += __shfl_down_sync(~0u, v, 16);
    y[threadIdx.x] = v;
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK: load <32 x float>
// CHECK-NOT: gather
// CHECK: shufflevector <32 x i32> {{.*}} <i32 1, i32 0, i32 3, i32 2,
// CHECK-NOT: gather
// CHECK: shufflevector <32 x i32> {{.*}} <i32 16, i32 17, i32 18, {{.*}}, i32 30, i32 31>
// CHECK-NOT: gather
// CHECK: {{^[}]$}}
