/* selected_loads.c: a store to an index that is clamped, too, is one test for the vector, between a consecutive store and
   the scatter; also under masks. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void least(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] > 0)
        y[min(max(i - 2, 0), n)] = x[i];
}
// CHECK-LABEL: define internal i32 @least.region.0.full(
// CHECK: icmp sge i32
// CHECK: icmp sle i32
// CHECK: br i1 {{.*}}, label %yes, label %no
// CHECK: store <16 x float>
// CHECK: masked.scatter.v16f32
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @least.region.0.masked(
// CHECK: masked.store.v16f32
// CHECK: masked.scatter.v16f32
// CHECK: {{^[}]$}}
