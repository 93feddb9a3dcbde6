/* struct_copies.c: a copy by way of bytes of the thread's own is a copy, and one if two ways do the same. */
// RUN: %vectors | filecheck %s
struct __align__(16) bytes { char b[16]; };

__device__ void copy_by_bytes(void *to, const void *from)
{
    bytes between = *(const bytes *)from;
    *(bytes *)to = between;
}
extern "C" __global__ void copy(int4 *to, const int4 *from)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (__isShared(to + i))
        copy_by_bytes(to + i, from + i);
    else
        copy_by_bytes(to + i, from + i);
}
// CHECK: define internal {{.*}}@copy.region.0.full(
// CHECK-NOT: br i1
// CHECK-NOT: llvm.mem
// CHECK: load <64 x i8>
// CHECK-NOT: br i1
// CHECK-NOT: llvm.mem
// CHECK: ret
