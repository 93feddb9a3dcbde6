/* simplify.c: a small array whose indices are known after loops are unrolled is registers. */
// RUN: %simplify | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float own[4];
    for (int j = 0; j < 4; j++)
        own[j] = x[4 * i + j];
    for (int j = 0; j < 4; j++)
        y[4 * i + j] = own[3 - j];
}
// CHECK-LABEL: define {{.*}}@k(
// CHECK-NOT: alloca
// CHECK-COUNT-4: load float
// CHECK-COUNT-4: store float
// CHECK: {{^[}]$}}
