/* induction_variables.c: a phi of numbers that are widened before they come round the loop becomes a narrow one whose result is
   widened: evenly spaced, and consecutive as an index. */
// RUN: %simplify | filecheck --check-prefix=BEFORE %s
// RUN: %induction | filecheck --check-prefix=INDUCTION %s
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x, size_t n)
{
    float sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 3)
        sum += x[i];
    y[threadIdx.x] = sum;
}
// BEFORE-LABEL: define {{.*}}@k(
// BEFORE: [[I:%[-.a-zA-Z0-9_]+]] = phi i64
// BEFORE: getelementptr inbounds float, ptr {{.*}}, i64 [[I]]
// INDUCTION-LABEL: define {{.*}}@k(
// INDUCTION: phi i32
// INDUCTION: [[I:%[-.a-zA-Z0-9_]+]] = zext i32 {{.*}} to i64
// INDUCTION: getelementptr inbounds float, ptr {{.*}}, i64 [[I]]
// INDUCTION: {{^[}]$}}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: gather
// CHECK: load <16 x float>
// CHECK: {{^[}]$}}
