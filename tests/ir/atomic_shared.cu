/* atomics.c: one thread of the machine runs a whole block, so atomics on shared memory need not be atomic. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(int *y, const int *x)
{
    __shared__ int s[64];
    atomicAdd(&s[x[threadIdx.x] & 63], 1);
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x & 31];
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: atomicrmw
// CHECK: {{^}}each.lane:
// CHECK: [[OLD:%[-.a-zA-Z0-9_]+]] = load i32, ptr [[P:%[-.a-zA-Z0-9_]+]]
// CHECK-NEXT: [[NEW:%[-.a-zA-Z0-9_]+]] = add i32 [[OLD]], 1
// CHECK-NEXT: store i32 [[NEW]], ptr [[P]]
// CHECK-NOT: atomicrmw
// CHECK: {{^[}]$}}
