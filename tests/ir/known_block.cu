/* known_block.c, shared_registers.c, order_of_use.c: a kernel that goes through barriers in one way and has a shared array of
   256 elements is also made as one function for blocks of 256 threads, in which that array is registers, or goes to the stack
   and back in the order of the results. Not where the way is not known, where the arrays are too large, where somebody
   accesses them at a place that is not known, or where a region has much else to do. */
// RUN: %vectors | filecheck --check-prefix=CALL %s
// RUN: %registers | filecheck %s
// RUN: %registers --cpu=x86-64-v3 | filecheck --check-prefix=ORDER %s
extern "C" __global__ void scan(int *y, const int *x)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        int other = t >= step ? s[t - step] : 0;
        __syncthreads();
        s[t] += other;
        __syncthreads();
    }
    y[t] = s[t];
}
// CALL-LABEL: define internal i32 @scan.known(
// CALL-COUNT-32: call i32 @scan.region.
// CALL: {{^[}]$}}
// CALL-LABEL: define internal i32 @scan.pass.0.0(
// CALL: icmp eq i32 {{.*}}, 256
// CALL: call i32 @scan.known(
// CHECK-LABEL: define {{.*}} @scan.known
// CHECK-COUNT-16: load <16 x i32>
// CHECK-NOT: load <16 x i32>
// CHECK-NOT: llvm.masked.
// CHECK: shufflevector <16 x i32> {{.*}} <i32 15, i32 16, i32 17,
// CHECK-NOT: load <16 x i32>
// CHECK: {{^[}]$}}
// The first step of the second vector comes behind the first result.
// ORDER-LABEL: define {{.*}} @scan.known(
// ORDER-COUNT-16: load <16 x i32>
// ORDER-NOT: {{load <16|llvm.masked.}}
// ORDER-COUNT-1: shufflevector <16 x i32> {{.*}} <i32 15, i32 16, i32 17,
// ORDER-NOT: shufflevector <16 x i32> {{.*}} <i32 15, i32 16, i32 17,
// ORDER: store <16 x i32>
// ORDER: shufflevector <16 x i32> {{.*}} <i32 15, i32 16, i32 17,
// ORDER-NOT: load <16 x i32>
// ORDER: {{^[}]$}}

extern "C" __global__ void tree(float *y, const float *x)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 128 + t];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}
// CHECK-LABEL: define {{.*}} @tree.known
// CHECK-COUNT-8: load <16 x float>
// CHECK-NOT: {{load|store}} <16 x float>
// CHECK: {{^[}]$}}

extern "C" __global__ void doubles(double *y, const double *x)
{
    __shared__ double s[256];
    __shared__ double z[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    z[t] = t >= 3 ? s[t - 3] : 0;
    __syncthreads();
    y[t] = s[t] + (t >= 17 ? z[t - 17] : 0);
}
// CHECK-LABEL: define {{.*}} @doubles.known
// CHECK-COUNT-16: load <16 x double>
// CHECK-NOT: load <16 x double>
// CHECK: {{^[}]$}}

extern "C" __global__ void unused(long long *y, const long long *x)
{
    __shared__ long long s[128], z[128];
    int t = threadIdx.x;
    s[t] = z[t] = x[t];
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        int other = t >= step ? (int)s[t - step] : 0;
        __syncthreads();
        if (t >= step)
            s[t] = (int)s[t] + other & 127;
        __syncthreads();
    }
    if (t < 112)
        s[t] = x[t];
    __syncthreads();
    y[t] = s[t] + z[t];
}
// Most vectors overwrite what they have computed.
// CHECK-LABEL: define {{.*}} @unused.known
// CHECK-COUNT-8: store <16 x i64>
// CHECK: {{^[}]$}}

extern "C" __global__ void bound(float *y, const float *x, int n)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int half = n; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    y[t] = s[0];
}
// CALL-NOT: define internal i32 @bound.known(

extern "C" __global__ void large(float *y, const float *x)
{
    __shared__ float s[512];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    s[t] += s[511 - t];
    __syncthreads();
    y[t] = s[t];
}
// CALL-NOT: define internal i32 @large.known(

extern "C" __global__ void many(double *y, const double *x)
{
    __shared__ double s[3][256];
    __shared__ double z[256];
    int t = threadIdx.x;
    s[0][t] = s[1][t] = z[t] = x[t];
    __syncthreads();
    s[2][t] = t >= 3 ? s[1][t - 3] + z[t - 3] : 0;
    __syncthreads();
    y[t] = s[0][t] + (t >= 17 ? s[2][t - 17] : 0);
}
// CALL-NOT: define internal i32 @many.known(

extern "C" __global__ void anywhere(float *y, const float *x, const int *to)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    s[to[t]] += 1;
    __syncthreads();
    y[t] = s[t];
}
// CALL-NOT: define internal i32 @anywhere.known(

extern "C" __global__ void busy(int *y, const int *x)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    int v = s[63 - t];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 100; k++)
        v = v * (v ^ k) + x[k];
    y[t] = v;
}
// CALL-NOT: define internal i32 @busy.known(
// ORDER: attributes {{.*}}"frame-pointer"="all" {{.*}}"hostcc.own-shared"="1024"
