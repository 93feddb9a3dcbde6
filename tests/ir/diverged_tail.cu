/* control_flow.c: branches whose lanes meet only at the region's end share the masked code from there on. Each had a copy
   of all the rest: the code for k shuffles in k branches grew with the square of k. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(int *y, const int *x)
{
    int v = x[threadIdx.x];
    if (v & 1)
        v += __shfl_xor_sync(__activemask(), v, 1);
    if (v & 2)
        v += __shfl_xor_sync(__activemask(), v, 2);
    if (v & 4)
        v += __shfl_xor_sync(__activemask(), v, 4);
    y[threadIdx.x] = v * 77;
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK: mul <32 x i32> {{.*}} 77
// CHECK: mul <32 x i32> {{.*}} 77
// CHECK-NOT: mul <32 x i32> {{.*}} 77
// CHECK: {{^[}]$}}
