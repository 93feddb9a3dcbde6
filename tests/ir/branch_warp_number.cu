/* uniformity.c: what is decided by the upper bits of the thread's number, such as the number of its warp, is the same in
   all lanes. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 64)
        y[i] = x[threadIdx.x / 32];
    if ((threadIdx.x & ~31) == 96)
        y[i] = x[1] * x[2];
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: <16 x i1>
// CHECK: br i1 {{.*}}, label %yes, label %no
// CHECK-NOT: gather
// CHECK: load float
// CHECK-NOT: <16 x i1>
// CHECK: {{^[}]$}}
