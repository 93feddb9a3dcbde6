/* frontend.c, instructions.c: products and sums may be fused unless -fmad=false says otherwise, in vector code as in scalar. */
// RUN: %vectors | filecheck %s
// RUN: %vectors -fmad=false | filecheck --check-prefix=OFF %s
extern "C" __global__ void k(float *y, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = y[i] * x[i] + x[blockIdx.x] * x[0];
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-DAG: fmul contract float
// CHECK-DAG: fmul contract <16 x float>
// CHECK: fadd contract <16 x float>
// CHECK: {{^[}]$}}
// OFF-LABEL: define internal i32 @k.region.0.full(
// OFF-NOT: contract
// OFF-DAG: fmul float
// OFF-DAG: fmul <16 x float>
// OFF: fadd <16 x float>
// OFF: {{^[}]$}}
