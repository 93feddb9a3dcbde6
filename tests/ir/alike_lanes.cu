/* alike_lanes.c: long code that is the same for all lanes is there once, and called for vectors whose lanes are not all
   threads, too. Not if lanes are counted. */
// RUN: %vectors | filecheck %s
static __device__ unsigned mixed(unsigned a)
{
#pragma unroll
    for (int k = 0; k < 100; k++)
        a = (a ^ a >> 7) * 0x9e3779b1u + k;
    return a;
}
extern "C" __global__ void alike(unsigned *x)
{
    *x = mixed(*x);
}
// CHECK-NOT: @alike.region.0.masked
// CHECK: define internal i32 @alike.region.0.full(
// CHECK-NOT: @alike.region.0.masked
// CHECK-LABEL: define internal void @alike.run.0(
// CHECK: call i32 @alike.region.0.full({{.*}}, i32 poison, i32 -1)
// CHECK: call i32 @alike.region.0.full({{.*}}, i32 poison, i32 %
// CHECK: {{^[}]$}}

extern "C" __global__ void counted(unsigned *x)
{
    *x = mixed(*x);
    atomicAdd(x + 1, 1);
}
// CHECK: define internal i32 @counted.region.0.masked(

extern "C" __global__ void of_lanes(unsigned *x)
{
    x[threadIdx.x] = mixed(*x);
}
// CHECK: define internal i32 @of_lanes.region.0.masked(

extern "C" __global__ void brief(unsigned *x)
{
    *x = *x * 5 + 1;
}
// CHECK: define internal i32 @brief.region.0.masked(
