/* block_loops.c: the linear layout of a kernel with many states has masked code alone: full code, which goes on to the kernel's
   end from each of them, would take long to compile. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(int *y)
{
    __shared__ int s[256];
    int t = threadIdx.x, v = y[t];
#pragma unroll
    for (int j = 0; j < 7; j++) {
        s[255 - t] = __shfl_xor_sync(~0u, v, 1);
        __syncthreads();
        v += s[t ^ 3];
        __syncthreads();
    }
    y[t] = v;
}
// CHECK: define internal i32 @k.region.1.full(
// CHECK-NOT: @k.linear.region.{{[0-9]+}}.full
// CHECK: define internal i32 @k.linear.region.1.masked(
// CHECK-NOT: @k.linear.region.{{[0-9]+}}.full
// CHECK: define internal i32 @k.resume.1(
