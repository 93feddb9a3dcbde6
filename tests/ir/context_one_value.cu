/* unit.c: nothing is moved behind a barrier before regions are cut (LLVM's sinking is off), so one value is saved in
   place of its operands. */
// RUN: %regions | filecheck %s
extern "C" __global__ void k(float *y, const float *x, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    float all = x[t] * x[t + 256] + x[t + 512];
    s[255 - t] = 1;
    __syncthreads();
    if (s[t] > n)
        y[t] = all;
}
// CHECK-LABEL: define i32 @k.region.0(
// CHECK-COUNT-3: load float
// CHECK: hc.slot
// CHECK-NOT: hc.slot
// CHECK: ret i32 1
// CHECK-LABEL: define i32 @k.region.1(
