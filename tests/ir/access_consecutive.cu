/* access.c: where lanes lie one element apart, a load or store is one access to consecutive memory. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + 1;
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: llvm.masked
// CHECK: load <16 x float>, ptr
// CHECK: fadd contract <16 x float>
// CHECK: store <16 x float> {{.*}}, ptr
// CHECK-NOT: llvm.masked
// CHECK-LABEL: define internal i32 @k.region.0.masked(
