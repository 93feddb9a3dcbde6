/* unchanged_values.c: a region that passes points saves at none of them what it has read back and not changed: the
   pointer, which the first point has saved. */
// RUN: %regions | filecheck %s
extern "C" __global__ void unchanged(const float *x, float *y, const int *to)
{
    int i = threadIdx.x;
    float *place = y + to[i];
    float v = x[i], first;
    if (i & 1)
        first = __shfl_xor_sync(~0u, v, 1) - v;
    else
        first = __shfl_xor_sync(~0u, v, 2) + v;
    v = first + __shfl_xor_sync(~0u, first, 4);
    v += 2 * __shfl_xor_sync(~0u, v, 8);
    *place = v;
}
// CHECK-LABEL: define i32 @unchanged.region.0(
// CHECK: store ptr
// CHECK-LABEL: define i32 @unchanged.region.1(
// CHECK: load ptr, ptr %{{.*}}
// CHECK-NOT: store ptr
// CHECK: store float %{{.*}}, ptr
// CHECK-NOT: store ptr
// CHECK-LABEL: define i32 @unchanged.region.2(
// CHECK-NOT: store ptr
// CHECK-LABEL: define i32 @unchanged.region.3(
