/* access.c, control_flow.c: tex1Dfetch, of the device library, at neighbouring places is a consecutive load where all lanes are inside of the texture. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, cudaTextureObject_t x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = tex1Dfetch<float>(x, i + 1);
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK: [[PLACE:%[-.a-zA-Z0-9_]+]] = getelementptr float, ptr {{.*}}, i64
// CHECK: load <16 x float>, ptr [[PLACE]]
// CHECK: {{^[}]$}}
