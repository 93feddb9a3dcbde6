/* suspension_points.c: warp functions at which all lanes of the warp surely are do not suspend, so the kernel is one region without a
   context; __syncwarp is nothing at all. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(int *y, int n)
{
    int v = y[threadIdx.x];
    for (int j = 1; j < n; j *= 2) {
        v += __shfl_xor_sync(~0u, v, j);
        __syncwarp();
    }
    y[threadIdx.x] = __any_sync(~0u, v > 100) ? v : 0;
}
// CHECK-NOT: @k.region.1
// CHECK-NOT: %slot
// CHECK: define internal void @k.run.0(
// CHECK-NOT: @k.resume
// CHECK: define internal void @k.run.1(
