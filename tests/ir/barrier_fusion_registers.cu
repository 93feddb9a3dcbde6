/* barrier_fusion.c, optimize.c: what a thread wrote to shared memory before a fused barrier and reads behind it stays in a register. */
// RUN: %optimize | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    float mine = x[t];
    s[t] = mine * 2;
    __syncthreads();
    float sum = mine + s[t];
    __syncthreads();
    y[t] = sum * s[t ^ 1];
}
// CHECK-LABEL: define internal i32 @k.pass.0.0(
// CHECK: {{^}}body:
// CHECK: [[MINE:%[-.a-zA-Z0-9_]+]] = load <16 x float>
// CHECK: [[TWICE:%[-.a-zA-Z0-9_]+]] = fmul contract <16 x float> [[MINE]]
// CHECK: store <16 x float> [[TWICE]]
// CHECK-NOT: load <16 x float>
// CHECK: fadd contract <16 x float> [[MINE]], [[TWICE]]
// CHECK: {{^[}]$}}
