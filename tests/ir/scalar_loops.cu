/* scalar_loops.c, loop_cost.c, control_flow.c: lanes run a divergent loop that hardly does more than gather and scatter
   one after the other, as scalar code, which leaves no vector code of it; one that searches does so where few lanes are
   left; others stay vectors. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void search(const int *start, const int *edge, unsigned char *frontier, unsigned char *next,
                                  const unsigned char *seen, int *level, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && frontier[v]) {
        frontier[v] = 0;
        for (int k = start[v]; k < start[v + 1]; k++) {
            int w = edge[k];
            if (!seen[w]) {
                level[w] = level[v] + 1;
                next[w] = 1;
            }
        }
    }
}
// CHECK-LABEL: define internal {{.*}}i32 @search.region.0.masked(
// CHECK: call <16 x i8> @llvm.masked.load.v16i8.p0(
// CHECK: call void @llvm.masked.store.v16i8.p0(
// CHECK-NOT: gather
// CHECK-NOT: scatter
// CHECK-NOT: @llvm.ctpop
// CHECK: {{^}}each.lane
// CHECK: @llvm.cttz.i64(
// CHECK-NOT: gather
// CHECK: load i8
// CHECK-NOT: gather
// CHECK-NOT: scatter
// CHECK: store i8 1
// CHECK-NOT: gather
// CHECK: {{^[}]$}}

extern "C" __global__ void lower_bound(const int *x, const int *want, int *at, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (x[middle] < want[i])
            low = middle + 1;
        else
            high = middle;
    }
    at[i] = low;
}
// CHECK-LABEL: define internal {{.*}}i32 @lower_bound.region.0.masked(
// CHECK: [[LANES:%[-.a-zA-Z0-9_]+]] = call i32 @llvm.ctpop.i32(
// CHECK: [[FEW:%[-.a-zA-Z0-9_]+]] = icmp ule i32 [[LANES]],
// CHECK: br i1 [[FEW]], label %few, label %many
// CHECK: {{^}}each.lane
// CHECK: gather
// CHECK: {{^[}]$}}

extern "C" __global__ void newton(float *y)
{
    int i = threadIdx.x;
    float a = y[i], t = 1, d = 1;
    while (fabsf(d) > 1e-5f) {
        d = (t * t * t - a) / (3 * t * t);
        t -= d;
    }
    y[i] = t;
}
// CHECK-LABEL: define internal {{.*}}i32 @newton.region.0.masked(
// CHECK-NOT: {{^}}each.lane
// CHECK: fdiv contract <16 x float>
// CHECK-NOT: {{^}}each.lane
// CHECK: {{^[}]$}}

extern "C" __global__ void saxpy(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}
// CHECK-LABEL: define internal i32 @saxpy.region.0.full(
// CHECK-NOT: {{^}}each.lane
// CHECK: {{^[}]$}}

extern "C" __global__ void stencil(float *y, const float *x, int n, int turns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        for (int k = 0; k < turns; k++)
            y[k * n + i] = x[k * n + i - 1] + x[k * n + i] + x[k * n + i + 1];
}
// CHECK-LABEL: define internal {{.*}}i32 @stencil.region.0.masked(
// CHECK-NOT: {{^}}each.lane
// CHECK: masked.store
// CHECK-NOT: {{^}}each.lane
// CHECK: {{^[}]$}}

extern "C" __global__ void bodies(float *force, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float f = 0;
    if (i < n) {
        for (int k = 0; k < n; k++) {
            float d = x[k] - x[i];
            f += d * rsqrtf(d * d + 0.01f);
        }
        force[i] = f;
    }
}
// CHECK-LABEL: define internal {{.*}}i32 @bodies.region.0.masked(
// CHECK-NOT: {{^}}each.lane
// CHECK: fmul contract <16 x float>
// CHECK-NOT: {{^}}each.lane
// CHECK: {{^[}]$}}
