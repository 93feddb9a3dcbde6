/* intrinsic_table.c: funnel shifts, which the device library writes as LLVM knows them, become vector instructions of 32
   bits, and not of 64. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void rotate(unsigned *y, const unsigned *x, const unsigned *by)
{
    int i = threadIdx.x;
    y[i] = __funnelshift_r(x[i], x[i], 7) ^ __funnelshift_l(x[i], by[i], 3) ^ __funnelshift_l(x[i], x[i], by[i]);
}
// CHECK-LABEL: define {{.*}} @rotate.region.0.full(
// CHECK-NOT: <16 x i64>
// CHECK-COUNT-3: call <16 x i32> @llvm.fshl.v16i32(
// CHECK-NOT: <16 x i64>
// CHECK: {{^[}]$}}
