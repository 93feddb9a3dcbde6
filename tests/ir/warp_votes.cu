/* warp_functions.c: ballots are a mask's bits, reductions one reduction of a vector. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(unsigned *y, const unsigned *x)
{
    unsigned v = x[threadIdx.x];
    y[0] = __ballot_sync(~0u, v > 3);
    y[1] = __reduce_add_sync(~0u, v);
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: each.lane
// CHECK: bitcast <32 x i1> {{.*}} to i32
// CHECK: store i32
// CHECK: call i32 @llvm.vector.reduce.add.v32i32(
// CHECK: store i32
// CHECK-NOT: each.lane
// CHECK: {{^[}]$}}
