/* block_loops.c: of a kernel of many states, those that only threads enter who had to wait for others have no full code. */
// RUN: %vectors | filecheck %s
__device__ int turn;

extern "C" __global__ void waits(float *x)
{
    for (int k = 1; k < 5; k++) {
        if (threadIdx.x == 0)
            atomicAdd(&turn, 1);
#pragma unroll
        for (int part = 0; part < 4; part++)
            while (*(volatile int *)&turn < k * part)
                ;
        __syncthreads();
        __syncthreads();
        x[threadIdx.x + blockIdx.x * blockDim.x] += turn;
    }
}
extern "C" __global__ void waits_once(float *x)
{
    while (*(volatile int *)&turn < 5)
        ;
    x[threadIdx.x] = 1;
}
extern "C" __global__ void waits_thrice(float *x)
{
    while (*(volatile int *)&turn < 5)
        ;
    x[threadIdx.x] = 1;
    while (*(volatile int *)&turn < 6)
        ;
    x[threadIdx.x] = 2;
    while (*(volatile int *)&turn < 7)
        ;
    x[threadIdx.x] = 3;
}
// CHECK: define internal i32 @waits.region.0.full(
// CHECK-NOT: @waits.region.1.full(
// CHECK: define internal i32 @waits.region.1.masked(
// CHECK: @waits_once.region.0.full(
// CHECK: @waits_once.region.1.full(
// CHECK: @waits_thrice.region.0.full(
// CHECK-NOT: @waits_thrice.region.1.full(
// CHECK: @waits_thrice.region.1.masked(
