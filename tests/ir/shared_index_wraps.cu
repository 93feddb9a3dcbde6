/* shared_memory.c: unsigned indices from within an array of shared memory wrap around at 32 bits, as its addresses on GPUs do;
   so do those of rows and members; those from its start have no sign, and in other memory none has one. */
// RUN: %regions | filecheck %s
extern "C" __global__ void mirror(double *y, const double *x)
{
    __shared__ double s[512];
    unsigned t = threadIdx.x;
    s[t] = s[t + 256] = x[t];
    __syncthreads();
    y[t] = (s + 256)[~t];
}
// CHECK-LABEL: define i32 @mirror.region.1(
// CHECK: [[NOT:%[-.a-zA-Z0-9_]+]] = xor i32 %{{.*}}, -1
// CHECK: [[AT:%[-.a-zA-Z0-9_]+]] = sext i32 [[NOT]] to i64
// CHECK: getelementptr{{.*}}, i64 [[AT]]

extern "C" __global__ void counted(float *y, unsigned n)
{
    __shared__ float s[256];
    float *end = s + threadIdx.x, sum = 0;
    s[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    for (unsigned k = 0; k < n; k++)
        sum += end[~k];
    y[threadIdx.x] = sum;
}
// CHECK-LABEL: define i32 @counted.region.1(
// CHECK: ashr {{.*}}i64 %{{.*}}, 30
// CHECK: {{^[}]$}}

extern "C" __global__ void unrolled(float *y, const float *x, unsigned n)
{
    __shared__ float s[256];
    s[n] = x[n];
    __syncthreads();
    float *middle = s + 100, *some = s + 100 + n, sum = 0;
    for (unsigned k = 0; k < 3; k++)
        sum += middle[k - 2] + some[k - 2];
    y[n] = sum;
}
// Sums of 400 - 8 bytes, and 8 bytes in front of what is not known.
// CHECK-LABEL: define i32 @unrolled.region.1(
// CHECK-NOT: i64 17179869
// CHECK: i64 392
// CHECK-NOT: i64 17179869
// CHECK: {{^[}]$}}

extern "C" __global__ void row(float *y, const float *x, unsigned n)
{
    __shared__ float s[8][32];
    s[n % 8][n / 8 % 32] = x[n];
    __syncthreads();
    y[n] = s[n % 8][n - 9];
}
// CHECK-LABEL: define i32 @row.region.1(
// CHECK: [[LEFT:%[-.a-zA-Z0-9_]+]] = add i32 %{{.*}}, -9
// CHECK: sext i32 [[LEFT]] to i64
// CHECK: {{^[}]$}}

extern "C" __global__ void plain(float *y, const float *x, unsigned n)
{
    __shared__ float s[256];
    s[n] = x[n];
    __syncthreads();
    y[n] = s[~n] + (x + threadIdx.x)[~n];
}
// CHECK-LABEL: define i32 @plain.region.0(
// CHECK-NOT: sext
// CHECK: {{^[}]$}}
// CHECK-LABEL: define i32 @plain.region.1(
// CHECK-NOT: sext
// CHECK: {{^[}]$}}
