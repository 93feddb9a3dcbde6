/* streamed_stores.c: what consecutive threads write and do not read is stored past the caches where the vector is
   aligned and the launch has more turns than `cached_turns`, in loops that stride over the grid, too. Not what is read, in other loops, less
   than 32 bytes a vector, nor in kernels that order memory or wait for other blocks. With barriers, what a block does
   last. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void streams(float *x, float *y, double *z, char *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] *= 2;
    y[i] = 3;
    z[i] = 4;
    c[i] = 5;
    for (int k = 1; k < n; k++)
        y[256 * k + i] = 6;
}
extern "C" __global__ void strides(double *z, const double *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        z[i] = 2 * x[i];
}
extern "C" __global__ void differs(double *z, const double *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        z[i] = threadIdx.x * x[i];
}
extern "C" __global__ void orders(float *y, int *flag)
{
    y[threadIdx.x] = 3;
    __threadfence();
    *(volatile int *)flag = 1;
}
extern "C" __global__ void waits(float *y, const float *x)
{
    __shared__ float s[256];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[255 - threadIdx.x];
}
extern "C" __global__ void reads_back(float *y, const float *x)
{
    y[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x + 256] = y[255 - threadIdx.x];
}
// CHECK-LABEL: define internal i32 @streams.region.0.full(
// CHECK: [[BITS:%[-.a-zA-Z0-9_]+]] = or i32 {{.*}}, 63
// CHECK: store <16 x float> {{.*}}, align 4,
// CHECK: [[WRONG:%[-.a-zA-Z0-9_]+]] = and i32 {{.*}}, [[BITS]]
// CHECK: [[RIGHT:%[-.a-zA-Z0-9_]+]] = icmp eq i32 [[WRONG]], 0
// CHECK: br i1 [[RIGHT]], label %[[PAST:[-.a-zA-Z0-9_]+]], label
// CHECK: store <16 x float> {{.*}}, align 64, {{.*}}!nontemporal
// CHECK: store <16 x double> {{.*}}, align 64, {{.*}}!nontemporal
// CHECK: store <16 x i8> {{.*}}, align 1,
// CHECK-NOT: !nontemporal
// CHECK-LABEL: define internal i32 @streams.region.0.masked(
// CHECK-NOT: !nontemporal
// CHECK-LABEL: define internal i32 @strides.region.0.full(
// CHECK: [[FITS:%[-.a-zA-Z0-9_]+]] = icmp ule i32 {{.*}}, [[MOST:%[-.a-zA-Z0-9_]+]]
// CHECK-NEXT: [[CACHED:%[-.a-zA-Z0-9_]+]] = sext i1 [[FITS]] to i32
// CHECK-NEXT: or i32 [[CACHED]], 63
// CHECK: store <32 x double> {{.*}}, align 64, {{.*}}!nontemporal
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @differs.region.0.full(
// CHECK: store <32 x double> {{.*}}, align 64, {{.*}}!nontemporal
// CHECK-LABEL: define internal i32 @differs.region.1.full(
// CHECK: store <32 x double> {{.*}}, align 64, {{.*}}!nontemporal
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @orders.region.0.full(
// CHECK-NOT: !nontemporal
// CHECK-LABEL: define internal i32 @waits.region.1.full(
// CHECK: store <16 x float> {{.*}}, align 64, {{.*}}!nontemporal
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @reads_back.region.0.full(
// CHECK-NOT: !nontemporal
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @reads_back.region.1.full(
// CHECK: store <16 x float> {{.*}}, align 64, {{.*}}!nontemporal
// CHECK: {{^[}]$}}
