/* control_flow.c: while all lanes stay in a loop that they leave one by one, it runs without masks. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y)
{
    int i = threadIdx.x;
    float v = y[i];
    while (v > 1)
        v *= 0.5f;
    y[i] = v;
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK: {{^}}all:
// CHECK: br label %[[FIRST:full[0-9]+]]
// CHECK: {{^}}[[FIRST]]:
// CHECK: br label %[[LOOP:full[0-9]+]]
// CHECK: {{^}}[[LOOP]]:
// CHECK-NOT: load <16 x i1>
// CHECK: fmul contract <16 x float>
// CHECK-NOT: load <16 x i1>
// CHECK: br i1 {{.*}}, label %[[ALL:all[0-9]+]], label
// CHECK: {{^}}[[ALL]]:
// CHECK: br label %[[LOOP]]
// CHECK: {{^[}]$}}
