/* induction_variables.c: a loop counter of 64 bits that starts at a widened thread number becomes start + t, so that its lanes
   stay evenly spaced round the loop, and what it indexes is consecutive. */
// RUN: %induction | filecheck --check-prefix=INDUCTION %s
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x, size_t n)
{
    float sum = 0;
    for (size_t i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += 1024)
        sum += x[i];
    y[threadIdx.x] = sum;
}
// INDUCTION-LABEL: define {{.*}}@k(
// INDUCTION: [[T:%[-.a-zA-Z0-9_]+]] = phi i64 [ {{%[-.a-zA-Z0-9_]+}}, {{.*}} ], [ 0, {{.*}} ]
// INDUCTION: add i64 {{%[-.a-zA-Z0-9_]+}}, [[T]]
// INDUCTION: {{^[}]$}}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: gather
// CHECK: load <16 x float>
// CHECK-NOT: gather
// CHECK: {{^[}]$}}
