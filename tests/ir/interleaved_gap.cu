/* interleave.c: a store to some members leaves the gaps alone by a constant mask, where masks cost nothing; below
   AVX-512, where they do, it is a store a lane. */
// RUN: %vectors | filecheck %s
// RUN: %vectors --cpu=x86-64-v3 | filecheck --check-prefix=NARROW %s
struct pair { float re, im; };
extern "C" __global__ void k(pair *y, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i].im = x[i];
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: scatter
// CHECK-COUNT-2: @llvm.masked.store.v16f32.p0({{.*}}, <16 x i1> <i1 true, i1 false, i1 true, i1 false,
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @k.region.0.masked(
// NARROW-LABEL: define internal i32 @k.region.0.full(
// NARROW-NOT: llvm.masked.store
// NARROW: @llvm.masked.scatter.v16f32
// NARROW-LABEL: define internal i32 @k.region.0.masked(
