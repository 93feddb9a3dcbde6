/* retry.c, unit.c: without AVX-512, registers have 256 bits although the processor has more; a vector takes two. */
// RUN: %vectors --no-avx512 | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    y[threadIdx.x] = x[threadIdx.x];
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK: load <16 x float>
// CHECK: "target-features"="{{[^"]*}}-avx512f
