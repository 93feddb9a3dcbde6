/* interleave.c: members of an array of structures are loaded in whole registers and shuffled. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float3 *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i].x * x[i].y + x[i].z;
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK: {{^}}full:
// CHECK-NOT: gather
// CHECK-COUNT-3: load <16 x float>
// CHECK-NOT: load
// CHECK: shufflevector <16 x float> {{.*}} <i32 0, i32 3, i32 6, i32 9,
// CHECK: shufflevector <16 x float> {{.*}} <i32 1, i32 4, i32 7, i32 10,
// CHECK: shufflevector <16 x float> {{.*}} <i32 2, i32 5, i32 8, i32 11,
// CHECK-NOT: load
// CHECK: store <16 x float>
// CHECK-LABEL: define internal i32 @k.region.0.masked(
