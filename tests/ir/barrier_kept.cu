/* barrier_fusion.c: threads read what earlier and later ones overwrite, so no order of vectors does, and the barrier stays. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    __shared__ float s[264];
    int t = threadIdx.x;
    s[255 - t] = x[t];
    __syncthreads();
    float sum = s[t] + s[t + 4] + s[t + 8];
    __syncthreads();
    s[t + 4] = sum;
    __syncthreads();
    y[t] = s[t ^ 1];
}
// CHECK-LABEL: define internal i32 @k.pass.0.1(
// CHECK: call i32 @k.region.1.full(
// CHECK-NOT: @k.region.2
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @k.pass.0.2(
