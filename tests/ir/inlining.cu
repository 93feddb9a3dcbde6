/* scalar_functions.c: device functions are inlined, however they are marked; recursive ones stay scalar and are called lane by lane. */
// RUN: %simplify | filecheck %s
// RUN: %vectors | filecheck --check-prefix=RECURSIVE %s
__device__ float square(float x) { return x * x; }
__device__ __noinline__ float cube(float x) { return square(x) * x; }
__device__ int depth(int n) { return n < 2 ? n : depth(n / 2) * depth(n - 2) + depth(n / 3); }
extern "C" __global__ void k(float *y)
{
    y[threadIdx.x] = cube(y[threadIdx.x]);
}
extern "C" __global__ void r(int *y)
{
    y[threadIdx.x] = depth(y[threadIdx.x]);
}
// CHECK-NOT: @_Z6square
// CHECK-NOT: @_Z4cube
// CHECK: define {{.*}}@k(
// CHECK-NOT: call {{.*}}@_Z
// CHECK: fmul contract float
// CHECK: fmul contract float
// CHECK: {{^[}]$}}
// RECURSIVE-LABEL: define internal i32 @r.region.0.full(
// RECURSIVE: {{^}}each.lane:
// RECURSIVE: call i32 @_Z5depthi(
// RECURSIVE: {{^[}]$}}
