/* interleave.c: vector types such as float4 are structures, so their arrays are loaded and stored in whole registers. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float4 *y, const float4 *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = x[i];
    y[i] = make_float4(v.x + v.w, v.y, v.z * 2, v.w);
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK: {{^}}full:
// CHECK-NOT: gather
// CHECK-COUNT-4: load <16 x float>
// CHECK-NOT: load
// CHECK: shufflevector <16 x float> {{.*}} <i32 0, i32 4, i32 8, i32 12,
// CHECK-NOT: scatter
// CHECK-COUNT-4: store <16 x float>
// CHECK-NOT: store
// CHECK: {{^[}]$}}
