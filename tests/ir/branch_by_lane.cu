/* scalar_loops.c, loop_cost.c, lane_loops.c, lane_order.c: under masks, lanes go one after the other through a way of a
   branch that hardly does more than gather and scatter; where they are neighbours, in a loop that counts them. What
   computes, or reads neighbouring memory, stays a vector. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void tile(int *score, const int *match, int n)
{
    __shared__ int s[17][17];
    int t = threadIdx.x;
    s[0][t] = score[t];
    __syncthreads();
    for (int d = 0; d < 31; d++) {
        int y = d - t;
        if (y >= 0 && y < 16)
            s[y + 1][t + 1] = max(max(s[y][t + 1], s[y + 1][t]) - n, s[y][t] + match[17 * y + t]);
        __syncthreads();
    }
    score[t] = s[16][t];
}
// CHECK-LABEL: define internal i32 @tile.region.2.full(
// CHECK: {{^}}each.run
// CHECK-NOT: masked.gather
// CHECK-NOT: masked.scatter
// CHECK: {{^}}each.lane
// CHECK: load i32
// CHECK: store i32
// CHECK: icmp ne i64
// CHECK-NOT: masked.gather
// CHECK-NOT: masked.scatter
// CHECK: {{^[}]$}}

extern "C" __global__ void pick(const int *flag, const int *x, const int *at, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = 0;
    if (flag[i] > 0)
        v = x[at[i]] - x[at[x[at[i]]]];
    y[i] = v;
}
// CHECK-LABEL: define internal i32 @pick.region.0.masked(
// CHECK-NOT: each.run
// CHECK: {{^}}each.lane
// CHECK-NOT: masked.gather
// CHECK: {{^[}]$}}

extern "C" __global__ void compute(const float *x, const int *at, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] > 0) {
        float a = x[at[i]];
        y[i] = sqrtf(a) + 1 / (a * a + x[i]) + a * (a - 1) / (x[i] + 2);
    }
}
// CHECK-LABEL: define internal i32 @compute.region.0.masked(
// CHECK-NOT: {{^}}each.lane
// CHECK: masked.gather
// CHECK-NOT: {{^}}each.lane
// CHECK: {{^[}]$}}

extern "C" __global__ void neighbours(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] > 0)
        y[i] = x[i + 1] - x[i + 2];
}
// CHECK-LABEL: define internal i32 @neighbours.region.0.masked(
// CHECK-NOT: {{^}}each.lane
// CHECK: masked.load
// CHECK: masked.store
// CHECK-NOT: {{^}}each.lane
// CHECK: {{^[}]$}}
