/* intrinsic_table.c, intrinsic_calls.c: LLVM's intrinsics of mathematics and of bits are called once for all lanes. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, double *z, unsigned *u, int *v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = fmaf(sqrtf(y[i]), floorf(y[i]), fabsf(y[i]));
    z[i] = copysign(rint(z[i]), fmin(z[i], 1.0));
    u[i] = __popc(u[i]) + __clz(u[i]) + __brev(u[i]);
    v[i] = min(abs(v[i]), max(v[i], 7));
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: each.lane
// CHECK-DAG: @llvm.sqrt.v16f32(
// CHECK-DAG: @llvm.floor.v16f32(
// CHECK-DAG: @llvm.fabs.v16f32(
// CHECK-DAG: @llvm.fma.v16f32(
// CHECK: @llvm.copysign.v16f64(
// CHECK-DAG: @llvm.ctpop.v16i32(
// CHECK-DAG: @llvm.ctlz.v16i32(
// CHECK-DAG: @llvm.bitreverse.v16i32(
// CHECK: @llvm.abs.v16i32(
// CHECK-NOT: each.lane
// CHECK: {{^[}]$}}
