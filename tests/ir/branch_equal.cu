/* control_flow.c: whether a lane's number is equal to one that all lanes have is asked of lane 0 alone: it is in reach, or not. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == n)
        y[i] = 1;
    y[i] += 2;
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK: [[ROOM:%[-.a-zA-Z0-9_]+]] = sub i32
// CHECK-NEXT: [[APART:%[-.a-zA-Z0-9_]+]] = icmp ugt i32 [[ROOM]], 15
// CHECK-NEXT: br i1 false, label %all, label %not.all
// CHECK: {{^}}not.all:
// CHECK-NEXT: br i1 [[APART]], label %none, label %part
