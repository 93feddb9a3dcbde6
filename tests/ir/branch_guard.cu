/* control_flow.c: a comparison of evenly spaced lanes with one number is asked of the first lane alone. */
// RUN: %vectors | filecheck %s
// RUN: %optimize | filecheck --check-prefix=OPT %s
extern "C" __global__ void k(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i];
    else
        y[i - n] = 1;
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK: [[FAR:%[-.a-zA-Z0-9_]+]] = icmp ugt i32 {{.*}}, 15
// CHECK: [[FIRST:%[-.a-zA-Z0-9_]+]] = icmp slt i32
// CHECK: [[ALL:%[-.a-zA-Z0-9_]+]] = and i1 [[FIRST]], [[FAR]]
// CHECK: br i1 [[ALL]], label %all, label %not.all
// CHECK: {{^[}]$}}
// OPT-LABEL: define internal void @k.run.0(
// OPT: br i1 {{.*}}, label %all.i, label %not.all.i
// OPT: {{^}}all.i:
// OPT-NOT: masked
// OPT: store <16 x float>
// OPT: {{^[}]$}}
