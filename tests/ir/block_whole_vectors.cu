/* vector_loops.c: a row's whole vectors run full code, the short one at its end runs masked code; LLVM hoists the reading of
   parameters out of the loop. */
// RUN: %optimize | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i];
}
// CHECK-LABEL: define internal void @k.run.0(
// CHECK: {{^}}[[BODY:body[0-9]+]].preheader:
// CHECK-COUNT-2: load ptr, ptr {{.*}}, !invariant.load
// CHECK: {{^}}[[BODY]]:
// CHECK-NOT: load ptr
// CHECK-NOT: masked
// CHECK: load <16 x float>
// CHECK: store <16 x float>
// CHECK-NOT: masked
// CHECK: br i1 {{.*}}, label {{.*}}, label %[[BODY]]
// CHECK: {{^}}rest:
// CHECK: call i32 @k.region.0.masked(
// CHECK: {{^[}]$}}
