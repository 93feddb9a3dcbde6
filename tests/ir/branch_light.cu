/* short_branches.c, control_flow.c: all lanes are taken through a few steps without effects, which cost less than to ask how many lanes go
   which way. What stands behind the condition that they make is asked for. */
// RUN: %regions | filecheck --check-prefix=BEFORE %s
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x, unsigned w, int n)
{
    unsigned t = threadIdx.x, i = blockIdx.x * 12 + t, v = i;
    if (t >= 1 && i < n) {
        v = i * w;
        v ^= t * n;
        v += v >> 3;
        v ^= v << 7;
    }
    if (v > 40)
        y[i] = x[i];
}
// BEFORE-LABEL: define i32 @k.region.0(
// BEFORE: br i1 {{.*}}, label %[[THEN:[-.a-z0-9_]+]], label %[[END:[-.a-z0-9_]+]]
// BEFORE: {{^}}[[THEN]]:
// BEFORE: xor i32
// BEFORE: br label %[[END]]
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: label %all
// CHECK: xor <16 x i32>
// CHECK: label %all
// CHECK-NOT: label %all
// CHECK: {{^[}]$}}
