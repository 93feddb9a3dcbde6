/* gather.c: gathers and scatters for all lanes are taken apart into a load or store a lane after LLVM's passes;
   masked ones stay instructions. */
// RUN: %gathers | filecheck %s
extern "C" __global__ void k(float *y, const float *x, const int *from, const int *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[to[i]] = x[from[i]];
}
// CHECK-LABEL: define internal i32 @k.region.0.masked(
// CHECK: @llvm.masked.gather.v16f32
// CHECK: @llvm.masked.scatter.v16f32
// CHECK-LABEL: define internal void @k.run.0(
// CHECK-NOT: call <16 x float> @llvm.masked
// CHECK-COUNT-16: load float, ptr
// CHECK-NOT: call void @llvm.masked
// CHECK-COUNT-16: store float {{.*}}, ptr
// CHECK-NOT: llvm.masked.
// CHECK: {{^[}]$}}
