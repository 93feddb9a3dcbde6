/* state_machine.c: what only passes through a region is neither read nor saved in it. */
// RUN: %regions | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    float own = x[t];
    s[255 - t] = 1;
    __syncthreads();
    s[t ^ 3] += 2;
    __syncthreads();
    y[t] = s[t ^ 1] + own;
}
// CHECK-LABEL: define i32 @k.region.0(
// CHECK: hc.slot
// CHECK: ret i32 1
// CHECK-LABEL: define i32 @k.region.1(
// CHECK-NOT: hc.slot
// CHECK: ret i32 2
// CHECK-LABEL: define i32 @k.region.2(
// CHECK: hc.slot
// CHECK: ret i32 0
