/* short_branches.c, control_flow.c: where the condition is the same in all lanes (here: whether a lane clamps), masked code branches as
   scalar code does, in place of a mask and a test of it for each way. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (y[i] > 0)
        y[i] = x[max(i - 1, 0)];
}
// CHECK-LABEL: define internal i32 @k.region.0.masked(
// CHECK: br i1 {{.*}}, label %yes, label %no
// CHECK: {{^}}yes:
// CHECK: masked.load.v16f32
// CHECK-NOT: br i1
// CHECK: br label %together
// CHECK: {{^}}no:
// CHECK: masked.gather.v16f32
// CHECK: br label %together
// CHECK: {{^}}together:
// CHECK: {{^[}]$}}
