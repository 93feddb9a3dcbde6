/* state_machine.c, block_loops.c, runtime_calls.c, uniformity.c, block_surgery.c: where all threads of a block go through a loop
   with barriers together, its counter is read once a pass, not for each vector, and what one vector returns holds for all of them,
   although some threads alone write at the end. Where threads may end alone, or take turns of their own, it is kept account of each. */
// RUN: %vectors | filecheck %s
// RUN: %regions | filecheck --check-prefix=REGIONS %s
extern "C" __global__ void together(float *y, const float *x, int turns, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int k = 0; k < turns; k++) {
        float v = s[(t + k) % 256];
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (t < n)
        y[t] = s[t];
}
// REGIONS-LABEL: define i32 @together.region.3(
// REGIONS: call ptr @hc.slot(i32 {{[0-9]+}}, i32 0, i32 4, i1 true)
// REGIONS: call ptr @hc.slot(i32 {{[0-9]+}}, i32 0, i32 4, i1 false)
// REGIONS: {{^[}]$}}
// CHECK-LABEL: define internal i32 @together.region.3.full(
// CHECK-NOT: i32 -1
// CHECK: call ptr @hc.fused(i32 {{[0-9]+}}, i32 0, i32 4, i1 true)
// CHECK-LABEL: define internal i32 @together.pass.0.3(
// CHECK: call ptr @hc.fused(i32 {{[0-9]+}}, i32 0, i32 4, i1 true)
// CHECK: {{^}}body{{.*}}:
// CHECK-NOT: hc.fused
// CHECK: [[STATE:%[-.a-zA-Z0-9_]+]] = call i32 @together.region.3.full(
// CHECK-NEXT: store i32 [[STATE]], ptr [[REACHED:%[-.a-zA-Z0-9_]+]]
// CHECK-NOT: hc.fused
// CHECK: [[LAST:%[-.a-zA-Z0-9_]+]] = load i32, ptr [[REACHED]]
// CHECK: ret i32 [[LAST]]
// CHECK: {{^[}]$}}

extern "C" __global__ void alone(float *y, const float *x, int turns, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    if (t >= n)
        return;
    s[t] = x[t];
    __syncthreads();
    for (int k = 0; k < turns; k++) {
        float v = s[(t + k) % 256];
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    y[t] = s[t];
}
// REGIONS-LABEL: define i32 @alone.region.3(
// REGIONS-NOT: i1 true)
// REGIONS: {{^[}]$}}
// CHECK-LABEL: define internal i32 @alone.pass.0.3(
// CHECK: select i1 {{.*}}, i32 {{.*}}, i32 -1
// CHECK: {{^[}]$}}

extern "C" __global__ void turns_of_own(float *y, const float *x, const int *turns)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int k = 0; k < turns[t / 32]; k++) {
        float v = s[(t + k) % 256];
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    y[t] = s[t];
}
// REGIONS-LABEL: define i32 @turns_of_own.region.3(
// REGIONS-NOT: i1 true)
// REGIONS: {{^[}]$}}
