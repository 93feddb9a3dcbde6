/* suspension_points.c: a region that only diverged lanes enter, at one of 40 shuffles, ends at the next multiple of 8, as
   that at the start goes on over 24. Each went on over as many: code grew with the square. */
// RUN: %regions | filecheck %s
extern "C" __global__ void k(int *y, int n)
{
    int t = threadIdx.y * blockDim.x + threadIdx.x, v = y[t];
    if (t >= n)
        return;
#pragma unroll
    for (int i = 0; i < 40; i++)
        v = v * 3 + __shfl_xor_sync(~0u, v, 1);
    y[t] = v;
}
// CHECK-LABEL: define i32 @k.linear.region.0(
// CHECK-COUNT-24: call i32 @__hostcc_shuffle_xor
// CHECK-NOT: call i32 @__hostcc_shuffle_xor
// CHECK-LABEL: define i32 @k.linear.region.1(
// CHECK-COUNT-6: call i32 @__hostcc_shuffle_xor
// CHECK-NOT: call i32 @__hostcc_shuffle_xor
// CHECK-LABEL: define i32 @k.linear.region.2(
