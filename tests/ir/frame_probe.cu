/* unit.c: a function touches each page of its frame in order, so that one that does not fit meets the end of the stack. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y)
{
    y[threadIdx.x] *= 2;
}
// CHECK: define internal i32 @k.region.0.full({{.*}}) #[[ATTRIBUTES:[0-9]+]]
// CHECK: attributes #[[ATTRIBUTES]] = {{.*}}"probe-stack"="inline-asm"
