/* lane_loops.c, uniformity.c: what has no vector form is done once where its operands are the same in all lanes. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(double *y, double x)
{
    y[threadIdx.x] = lgamma(x);
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: each.lane
// CHECK: call {{.*}}double @__hostcc_libm_lgamma(double
// CHECK-NOT: each.lane
// CHECK: store <16 x double>
// CHECK: {{^[}]$}}
