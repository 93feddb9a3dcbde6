/* gather.c: where gathers are fast (--gathers says it here, gather_time.c measures it else), those for all lanes stay instructions;
   scatters do not. */
// RUN: %gathers --gathers=instructions | filecheck %s
extern "C" __global__ void k(float *y, const float *x, const int *from, const int *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[to[i]] = x[from[i]];
}
// CHECK-LABEL: define internal void @k.run.0(
// CHECK: call <16 x float> @llvm.masked.gather
// CHECK-NOT: call void @llvm.masked
// CHECK-COUNT-16: store float {{.*}}, ptr
// CHECK: {{^[}]$}}
