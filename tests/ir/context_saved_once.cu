/* state_machine.c: what the context has already is not saved again at the barriers of a loop. */
// RUN: %regions | filecheck %s
extern "C" __global__ void k(float *y, const float *x, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    float own = x[t], sum = 0;
    s[255 - t] = own;
    __syncthreads();
    for (int j = 0; j < n; j++) {
        sum += s[t] * own;
        __syncthreads();
        s[255 - t] = sum;
        __syncthreads();
    }
    y[t] = sum;
}
// CHECK-LABEL: define i32 @k.region.0(
// CHECK: [[OWN:%[-.a-zA-Z0-9_]+]] = load float
// CHECK: [[SLOT:%[-.a-zA-Z0-9_]+]] = call ptr @hc.slot(i32 0, i32 4, i32 64, i1 false)
// CHECK-NEXT: store float [[OWN]], ptr [[SLOT]]
// CHECK-LABEL: define i32 @k.region.1(
// CHECK: [[SLOT:%[-.a-zA-Z0-9_]+]] = call ptr @hc.slot(i32 0, i32 4, i32 64, i1 false)
// CHECK-NEXT: load float, ptr [[SLOT]]
// CHECK-NOT: store {{.*}}, ptr [[SLOT]],
// CHECK-LABEL: define i32 @k.region.2(
// CHECK-NOT: @hc.slot(i32 0,
// CHECK-LABEL: define i32 @k.region.3(
// CHECK: [[SLOT:%[-.a-zA-Z0-9_]+]] = call ptr @hc.slot(i32 0, i32 4, i32 64, i1 false)
// CHECK-NEXT: load float, ptr [[SLOT]]
// CHECK-NOT: store {{.*}}, ptr [[SLOT]],
// CHECK: {{^[}]$}}
