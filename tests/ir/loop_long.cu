/* vector_loops.c: LLVM need not ask what it would cost to unroll the loops over vectors whose code is long. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void functions(double *y, const double *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = pow(x[i], 3.5) + lgamma(x[i]) + tgamma(x[i]) + cyl_bessel_i1(x[i]) + erfcinv(x[i]) +
           atan2(x[i], 2.0) + asin(x[i]);
}
// CHECK-LABEL: define internal void @functions.run.0(
// CHECK: br i1 {{.*}} !llvm.loop [[LOOP:![0-9]+]]
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal void @brief.run.0(
// CHECK-NOT: !llvm.loop
// CHECK: {{^[}]$}}
// CHECK: [[LOOP]] = distinct !{[[LOOP]], [[ONCE:![0-9]+]]}
// CHECK: [[ONCE]] = !{!"llvm.loop.unroll.count", i32 1}

extern "C" __global__ void brief(double *y, const double *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i];
}
