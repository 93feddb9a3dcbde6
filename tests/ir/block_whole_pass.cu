/* block_loops.c: while a whole block is alive and all its vectors go the same way, a pass keeps no account of them. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    y[t] = s[255 - t];
}
// CHECK-LABEL: define internal i32 @k.pass.0.0(
// CHECK: br i1 {{.*}}, label %fast, label %slow
// CHECK: call i32 @k.pass.0.masked(ptr %0, ptr %1, ptr @k.region.0.masked)
// CHECK: call i32 @k.region.0.full(
// CHECK-NOT: phi
// CHECK: {{^[}]$}}
