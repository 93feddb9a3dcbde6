/* loop_kinds.c: a loop strides over the grid by a multiple or a part of its size, not by a share of the data, which is
   divided by it, and not by what the size chooses. */
// RUN: %regions | filecheck %s
extern "C" __global__ void share(float *y, int n)
{
    for (int i = threadIdx.x; i < n; i += n / gridDim.x)
        y[i] += 1;
}
extern "C" __global__ void chosen(float *y, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x > 32 ? n : 7)
        y[i] += 1;
}
extern "C" __global__ void warps(float *y, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x / 32 * gridDim.x)
        y[i] += 1;
}
// CHECK-NOT: call i1 @hc.lockstep
// CHECK-LABEL: define i32 @share.region.0(
// CHECK-NOT: call i1 @hc.lockstep
// CHECK-LABEL: define i32 @chosen.region.0(
// CHECK-NOT: call i1 @hc.lockstep
// CHECK-LABEL: define i32 @warps.region.
// CHECK: call i1 @hc.lockstep(i1 true)
