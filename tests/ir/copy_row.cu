/* access.c: structures that lie one behind the other, as the threads that copy them, are copied as one array. */
// RUN: %vectors | filecheck %s
struct quad { int a, b, c, d; };

extern "C" __global__ void copy(quad *to, const quad *from)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}
extern "C" __global__ void every_other(quad *to, const quad *from)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[2 * i];
}
// CHECK: define internal {{.*}}@copy.region.0.full(
// CHECK-NOT: llvm.memcpy
// CHECK: load <64 x i8>
// CHECK: load <64 x i8>
// CHECK-NOT: llvm.memcpy
// CHECK: store <64 x i8>
// CHECK: define internal {{.*}}@every_other.region.0.full(
// CHECK: llvm.memcpy
