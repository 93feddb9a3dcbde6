/* barrier_fusion.c: the same downwards: threads read what later ones are about to overwrite. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    __shared__ float s[260];
    int t = threadIdx.x;
    s[255 - t] = x[t];
    __syncthreads();
    float sum = s[t] + s[t + 4];
    __syncthreads();
    s[t + 4] = sum;
    __syncthreads();
    y[t] = s[t ^ 1];
}
// CHECK-LABEL: define internal i32 @k.pass.0.1(
// CHECK: sub nuw nsw i32 {{.*}}, 16
// CHECK: call i32 @k.region.1.full(
// CHECK: call i32 @k.region.2.full(
// CHECK: tail call i32 @k.pass.0.3(
// CHECK-LABEL: define internal i32 @k.pass.0.3(
