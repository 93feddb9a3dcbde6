/* access.c: where rows of a block read rows of memory, each load asks for what the same row of the next block reads, and
   so do the loads of kernels with barriers, of as many threads ahead as a block has. Not elsewhere where a block is one
   row, nor in loops that do not stride over the grid, nor in shared memory and contexts, nor under masks. What consecutive threads write and do not read
   is asked for 128 bytes before, once a line; behind a barrier, what those of the next block write. Far means four blocks ahead, into the second cache, and that what is
   read and written without a barrier is asked for a page ahead, into the first. */
// RUN: %vectors | filecheck %s
// RUN: %vectors --prefetches=far | filecheck --check-prefix=FAR %s
extern "C" __global__ void rows(float *y, const float *x, int width)
{
    __shared__ float s[16][16];
    s[threadIdx.y][threadIdx.x] = x[(blockIdx.y * 16 + threadIdx.y) * width + blockIdx.x * 16 + threadIdx.x];
    __syncthreads();
    y[(blockIdx.y * 16 + threadIdx.y) * width + blockIdx.x * 16 + threadIdx.x] = s[15 - threadIdx.y][threadIdx.x];
}
extern "C" __global__ void row(float *y, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];
}
extern "C" __global__ void waits(float *y, const float *x, const float *z, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    float own = x[blockIdx.x * 200 + t], sum = 0;
    s[t] = own * own;
    __syncthreads();
    for (int k = 0; k < n; k++)
        sum += s[k] * z[k * 256 + t];
    y[t] = s[255 - t] + own + sum;
}
// CHECK-LABEL: define internal i32 @rows.region.0.full(
// CHECK: [[X:%[-.a-zA-Z0-9_]+]] = load <16 x float>, ptr [[P:%[-.a-zA-Z0-9_]+]]
// CHECK: [[AHEAD:%[-.a-zA-Z0-9_]+]] = getelementptr i8, ptr [[P]], i64 127
// CHECK: call void @llvm.prefetch.p0(ptr [[AHEAD]], i32 0, i32 3, i32 1)
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @rows.region.0.masked(
// CHECK-NOT: llvm.prefetch{{.*}}, i32 0, i32 3
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @rows.region.1.full(
// CHECK-NOT: llvm.prefetch{{.*}}, i32 0, i32 3
// CHECK: load <16 x float>
// CHECK-NOT: llvm.prefetch{{.*}}, i32 0, i32 3
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @row.region.0.full(
// CHECK-NOT: llvm.prefetch{{.*}}, i32 0, i32 3
// CHECK: load <16 x float>
// CHECK-NOT: llvm.prefetch{{.*}}, i32 0, i32 3
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @waits.region.0.full(
// CHECK: [[BLOCK:%[-.a-zA-Z0-9_]+]] = mul i64 {{.*}}, 4
// CHECK: [[BYTES:%[-.a-zA-Z0-9_]+]] = mul i64 [[BLOCK]], 1
// CHECK: load <16 x float>, ptr [[P:%[-.a-zA-Z0-9_]+]]
// CHECK: [[AT:%[-.a-zA-Z0-9_]+]] = add i64 [[BYTES]], 0
// CHECK-NEXT: [[AHEAD:%[-.a-zA-Z0-9_]+]] = getelementptr i8, ptr [[P]], i64 [[AT]]
// CHECK: call void @llvm.prefetch.p0(ptr [[AHEAD]], i32 0, i32 3, i32 1)
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @waits.region.1.full(
// CHECK-NOT: llvm.prefetch{{.*}}, i32 0, i32 3
// CHECK: {{^[}]$}}

extern "C" __global__ void writes(float *x, float *y, double *z, char *c, int n)
{
    __shared__ float s[256];
    int i = threadIdx.x;
    s[i] = 1;
    x[i] *= 2;
    y[i] = 3;
    z[i] = 4;
    c[i] = 5;
    for (int k = 1; k < n; k++)
        y[256 * k + i] = 6;
}
// CHECK-LABEL: define internal i32 @writes.region.0.full(
// CHECK: store <16 x float> {{.*}}, ptr [[Y:%[-.a-zA-Z0-9_]+]], align 4
// CHECK-NOT: llvm.prefetch
// CHECK: store <16 x float> {{.*}}, ptr [[Y:%[-.a-zA-Z0-9_]+]], align 4
// CHECK-NOT: llvm.prefetch
// CHECK: store <16 x float> {{.*}}, ptr [[Y:%[-.a-zA-Z0-9_]+]], align 4
// CHECK-NEXT: [[AHEAD:%[-.a-zA-Z0-9_]+]] = getelementptr i8, ptr [[Y]], i64 128
// CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[AHEAD]], i32 1, i32 3, i32 1)
// CHECK: store <16 x double> {{.*}}, ptr [[Z:%[-.a-zA-Z0-9_]+]], align 8
// CHECK-NEXT: [[AHEAD:%[-.a-zA-Z0-9_]+]] = getelementptr i8, ptr [[Z]], i64 128
// CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[AHEAD]], i32 1, i32 3, i32 1)
// CHECK-NEXT: [[AHEAD:%[-.a-zA-Z0-9_]+]] = getelementptr i8, ptr [[Z]], i64 192
// CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[AHEAD]], i32 1, i32 3, i32 1)
// CHECK: store <16 x i8>
// CHECK-NOT: llvm.prefetch
// CHECK-LABEL: define internal i32 @writes.region.0.masked(
// CHECK-NOT: llvm.prefetch
// CHECK: {{^[}]$}}

extern "C" __global__ void ends(float *y, const float *x)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    y[blockIdx.x * blockDim.x + t] = s[255 - t];
}
// CHECK-LABEL: define internal i32 @ends.region.1.full(
// CHECK: [[BYTES:%[-.a-zA-Z0-9_]+]] = mul i64 {{.*}}, 4
// CHECK: store <16 x float> {{.*}}, ptr [[Y:%[-.a-zA-Z0-9_]+]], align 4
// CHECK-NEXT: [[AT:%[-.a-zA-Z0-9_]+]] = add i64 [[BYTES]], 0
// CHECK-NEXT: [[AHEAD:%[-.a-zA-Z0-9_]+]] = getelementptr i8, ptr [[Y]], i64 [[AT]]
// CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[AHEAD]], i32 1, i32 3, i32 1)
// CHECK: {{^[}]$}}
// FAR-LABEL: define internal i32 @rows.region.0.full(
// FAR: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 2, i32 1)
// FAR-LABEL: define internal i32 @waits.region.0.full(
// FAR: [[BLOCK:%[-.a-zA-Z0-9_]+]] = mul i64 {{.*}}, 4
// FAR: mul i64 [[BLOCK]], 4
// FAR: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 2, i32 1)
// FAR-LABEL: define internal i32 @writes.region.0.full(
// FAR: call void @llvm.prefetch.p0(ptr {{.*}}, i32 1, i32 3, i32 1)

extern "C" __global__ void in_place(float *x, const float *y, float a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = a * x[i] + y[i];
}
// CHECK-LABEL: define internal i32 @in_place.region.0.full(
// CHECK-NOT: llvm.prefetch
// CHECK: {{^[}]$}}
// FAR-LABEL: define internal i32 @in_place.region.0.full(
// FAR: load <16 x float>, ptr [[X:%[-.a-zA-Z0-9_]+]]
// FAR-NEXT: [[NEXT:%[-.a-zA-Z0-9_]+]] = getelementptr i8, ptr [[X]], i64 4096
// FAR-NEXT: call void @llvm.prefetch.p0(ptr [[NEXT]], i32 0, i32 3, i32 1)
// FAR-NOT: llvm.prefetch
// FAR: {{^[}]$}}
