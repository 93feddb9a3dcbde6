/* row_sides.c, pass_chain.c, vector_loops.c, instructions.c: a pass of a whole block takes the vectors
   below, around and above the constant that threadIdx.x is compared with in loops of their own, whose code asks nothing,
   several at a time; then it calls the next pass. One vector is no loop, and code that asks is no faster several at a
   time. */
// RUN: %vectors | filecheck %s
// RUN: %optimize | filecheck --check-prefix=OPT %s
extern "C" __global__ void half(float *y, const float *x)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 128)
        s[t] += s[t + 128];
    __syncthreads();
    y[t] = s[255 - t];
}
// CHECK-LABEL: define internal i32 @half.region.1.below.full(
// CHECK: br i1 true
// CHECK-LABEL: define internal i32 @half.region.1.above.full(
// CHECK: br i1 false
// CHECK-LABEL: define internal i32 @half.pass.0.1(
// CHECK: tail call i32 @half.pass.0.2(
// CHECK: call i32 @half.region.1.below.full(
// CHECK: call i32 @half.region.1.above.full(
// CHECK-NOT: call i32 @half.region.1.full(
// CHECK: {{^[}]$}}
// OPT-LABEL: define internal i32 @half.pass.0.1(
// OPT: tail call i32 @half.pass.0.2(
// OPT-COUNT-4: fadd contract <16 x float>
// OPT-NOT: {{^}}body5:
// OPT: {{^[}]$}}

extern "C" __global__ void step(int *y, const int *x)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    int other = t >= 40 ? s[t - 40] : 0;
    __syncthreads();
    s[t] += other;
    __syncthreads();
    y[t] = s[t ^ 1];
}
// CHECK-LABEL: define internal i32 @step.region.1.above.full(
// CHECK: add nsw i32 {{.*}}, -40
// CHECK-LABEL: define internal i32 @step.pass.0.1(
// CHECK: icmp uge i32 {{.*}}, 64
// CHECK: call i32 @step.region.1.above.full(
// CHECK: call i32 @step.region.2.above.full(
// CHECK: icmp uge i32 {{.*}}, 48
// CHECK: call i32 @step.region.1.full(
// CHECK: call i32 @step.region.2.full(
// CHECK-NEXT: br label
// CHECK: icmp uge i32 {{.*}}, 16
// CHECK: call i32 @step.region.1.below.full(
// CHECK: call i32 @step.region.2.below.full(
// CHECK: tail call i32 @step.pass.0.3(
// CHECK: {{^[}]$}}

extern "C" __global__ void bound(int *y, const int *x, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = t < n ? x[t] : 0;
    __syncthreads();
    y[t] = s[t ^ 1];
}
// CHECK-LABEL: define internal i32 @bound.pass.0.0(
// CHECK: call i32 @bound.region.0.full(
// CHECK-NOT: !llvm.loop
// CHECK: {{^[}]$}}

extern "C" __global__ void longer(int *y, const int *x)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    int a = s[t ^ 1], b = s[t ^ 2], c = s[t ^ 3], d = s[t ^ 4];
    __syncthreads();
    s[t] = a * b + c * d;
    __syncthreads();
    y[t] = s[t ^ 5] + a + b + c + d;
}
// CHECK-LABEL: define internal i32 @longer.pass.0.0(
// CHECK: br i1 {{.*}} !llvm.loop
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @longer.pass.0.2(
// CHECK-NOT: !llvm.loop
// CHECK: {{^[}]$}}

extern "C" __global__ void rows(float *y, const float *x)
{
    __shared__ float s[16][32];
    int t = threadIdx.x, r = threadIdx.y;
    s[r][t] = x[32 * r + t];
    __syncthreads();
    if (t < 16)
        s[r][t] += s[15 - r][t + 16];
    __syncthreads();
    y[32 * r + t] = s[r][31 - t];
}
// CHECK-NOT: @rows.region.1.above
