/* warp_functions.c: a shuffle by which all lanes read one lane takes that lane out, as a scalar. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, int n)
{
    float v = y[threadIdx.x];
    y[threadIdx.x] = v * __shfl_sync(~0u, v, n);
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: gather
// CHECK: [[ONE:%[-.a-zA-Z0-9_]+]] = extractelement <32 x i32>
// CHECK: bitcast i32 [[ONE]] to float
// CHECK-NOT: gather
// CHECK: {{^[}]$}}
