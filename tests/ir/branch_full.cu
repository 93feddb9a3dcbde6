/* control_flow.c: where a branch goes the same way for all lanes at run time, no lane is masked on either way. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] > 0)
        y[i] = 1;
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK: [[BITS:%[-.a-zA-Z0-9_]+]] = bitcast <16 x i1> {{.*}} to i16
// CHECK-DAG: [[ALL:%[-.a-zA-Z0-9_]+]] = icmp eq i16 [[BITS]], -1
// CHECK-DAG: [[NONE:%[-.a-zA-Z0-9_]+]] = icmp eq i16 [[BITS]], 0
// CHECK: br i1 [[ALL]], label %all, label %not.all
// CHECK: {{^}}all:
// CHECK-NEXT: br label %[[FULL:full[0-9]+]]
// CHECK: br i1 [[NONE]], label %none, label %part
// CHECK: {{^}}[[FULL]]:
// CHECK-NOT: masked
// CHECK: store <16 x float>
// CHECK: br label %full
// CHECK: {{^}}run:
// CHECK: @llvm.masked.store.v16f32
// CHECK: {{^[}]$}}
