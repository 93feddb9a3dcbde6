/* equal_phis.c: LLVM widens a thread number on both ways of a branch and merges the results. They are one number, and lanes that
   have it are neighbours: what is saved across the barrier is not lanes, and behind it accesses are consecutive. */
// RUN: %simplify | filecheck --check-prefix=BEFORE %s
// RUN: %regions | filecheck --check-prefix=REGIONS %s
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 240 + t - 8;
    bool inside = i >= 0 && i < n;
    if (inside)
        s[t] = x[i];
    __syncthreads();
    for (int k = 0; k < 8; k++) {
        float v = t > k && t < 255 - k ? s[t - 1] + s[t] : s[t];
        __syncthreads();
        if (inside)
            s[t] = v;
        __syncthreads();
    }
    if (inside)
        y[i] = s[t];
}
// BEFORE: phi i64 [ {{.*}}.pre, {{.*}} ], [
// REGIONS-NOT: call ptr @hc.slot(i32 {{[0-9]+}}, i32 8
// REGIONS: define i32 @k.region.1(
// CHECK-LABEL: define internal i32 @k.region.1.full(
// CHECK-NOT: masked.gather
// CHECK: load <16 x float>
// CHECK-NOT: masked.gather
// CHECK: {{^[}]$}}
