/* clone.c: a region is a copy of what its state leads to alone: code grows with the barriers, not with their square. */
// RUN: %regions | filecheck %s
extern "C" __global__ void k(float *y, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[255 - t] = sqrtf(t);
    __syncthreads();
    s[t ^ 7] += 2;
    __syncthreads();
    s[t ^ 3] *= 3;
    __syncthreads();
    y[t] = floorf(s[t ^ 1]);
}
// CHECK-LABEL: define i32 @k.region.0(
// CHECK: @llvm.sqrt
// CHECK-NOT: fadd
// CHECK: ret i32 1
// CHECK-LABEL: define i32 @k.region.1(
// CHECK-NOT: sqrt
// CHECK: fadd
// CHECK-NOT: fmul
// CHECK: ret i32 2
// CHECK-LABEL: define i32 @k.region.2(
// CHECK-NOT: fadd
// CHECK: fmul
// CHECK-NOT: floor
// CHECK: ret i32 3
// CHECK-LABEL: define i32 @k.region.3(
// CHECK-NOT: fmul
// CHECK: floor
// CHECK: ret i32 0
