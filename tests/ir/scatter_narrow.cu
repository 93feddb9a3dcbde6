/* access.c, lane_loops.c: scatters of less than 32 bits under masks, which no processor has, are a loop over the lanes
   that run. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(unsigned char *y, short *z, const int *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[to[i]] = i;
    z[to[i]] = i;
}
// CHECK-LABEL: define internal i32 @k.region.0.masked(
// CHECK-NOT: scatter
// CHECK: {{^}}each.lane
// CHECK: @llvm.cttz.i64(
// CHECK: store i8
// CHECK-NOT: scatter
// CHECK: {{^}}each.lane
// CHECK: store i16
// CHECK-NOT: scatter
// CHECK-LABEL: define internal void @k.run.0(
