/* short_branches.c, control_flow.c: all lanes are taken through a few steps without effects, which cost less than to ask how many lanes go
   which way. What stands behind the condition that they make is asked for. */
// RUN: %regions | filecheck --check-prefix=BEFORE %s
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x, int w, int h)
{
    int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.x * 12 + tx - 2, j = blockIdx.y * 12 + ty - 2;
    bool inside = i >= 0 && i < w && j >= 0 && j < h;
    bool active = inside && tx >= 1 && tx < 15 && ty >= 1 && ty < 15;
    float v = active ? x[j * w + i] : 0;
    __syncthreads();
    if (active)
        y[j * w + i] = v;
}
// BEFORE-LABEL: define i32 @k.region.0(
// BEFORE: br i1 {{.*}}, label %[[THEN:[-.a-z0-9_]+]], label %[[END:[-.a-z0-9_]+]]
// BEFORE: {{^}}[[THEN]]:
// BEFORE: icmp ult i32
// BEFORE: br label %[[END]]
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: label %all
// CHECK: icmp ult <16 x i32>
// CHECK: label %all
// CHECK-NOT: label %all
// CHECK: {{^[}]$}}
