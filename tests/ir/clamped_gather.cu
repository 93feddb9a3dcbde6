/* selected_loads.c: a clamp on an index that is anywhere anyway, and one of lanes far apart, stay what they are: a branch
   would only come on top of the gather. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void anywhere(float *y, const float *x, const int *from)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] += x[max(from[i], 0)];
}
extern "C" __global__ void far(float *y, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] += x[64 * max(i - 1, 0)];
}
// CHECK-LABEL: define internal i32 @anywhere.region.0.full(
// CHECK-NOT: br i1
// CHECK: masked.gather.v16f32
// CHECK-NOT: br i1
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @far.region.0.full(
// CHECK-NOT: br i1
// CHECK: masked.gather.v16f32
// CHECK-NOT: br i1
// CHECK: {{^[}]$}}
