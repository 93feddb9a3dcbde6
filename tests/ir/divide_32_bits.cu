/* instructions.c: integers of 32 bits are divided as doubles, of which there are vectors; by a constant LLVM multiplies. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(int *y, unsigned *z, const int *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] / x[i + 1];
    z[i] = z[i] % (unsigned)y[i];
    z[i + 100] /= 10;
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: sdiv
// CHECK: fdiv <16 x double>
// CHECK: fptosi <16 x double>
// CHECK-NOT: urem
// CHECK: fdiv <16 x double>
// CHECK: fptoui <16 x double>
// CHECK-NOT: fdiv
// CHECK: udiv <16 x i32> {{.*}}, <i32 10, i32 10,
// CHECK: {{^[}]$}}
