/* alike_arrays.c: a local array in which all lanes have the same is one for all of them: what is read of it is scalar,
   and long code of it is there once. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void alike(unsigned *x, int n)
{
    unsigned own[20] = {1, 2, 3};
    for (int j = 0; j < n; j++)
        own[x[j] % 20] = own[j] * 5;
    x[n] = own[n / 2];
}
// CHECK-LABEL: define internal i32 @alike.region.0.full(
// CHECK: %local = alloca
// CHECK-NOT: x i32>
// CHECK: mul i32 %{{.*}}, 5
// CHECK-NOT: x i32>
// CHECK: {{^[}]$}}

static __device__ unsigned mixed(unsigned a)
{
#pragma unroll
    for (int k = 0; k < 100; k++)
        a = (a ^ a >> 7) * 0x9e3779b1u + k;
    return a;
}
extern "C" __global__ void in_words(unsigned *x, int n)
{
    unsigned long long own[8] = {};
    for (int j = 0; j < n; j++)
        ((unsigned *)own)[j] = mixed(x[j]);
    *x = own[n / 4] % 1000;
}
// CHECK-NOT: @in_words.region.0.masked
// CHECK-LABEL: define internal i32 @in_words.region.0.full(
// CHECK-NOT: each.lane
// CHECK: call void @llvm.memset
// CHECK-NOT: each.lane
// CHECK: {{^[}]$}}
// CHECK-NOT: @in_words.region.0.masked

/* What differs is stored in one, and copied to the other. */
extern "C" __global__ void of_values(unsigned *x, int n)
{
    unsigned first[20] = {}, second[20] = {};
    first[n] = threadIdx.x;
    second[n + 1] = first[n - x[0]];
    x[n] = second[x[1]];
}
// CHECK-LABEL: define internal i32 @of_values.region.0.full(
// CHECK: each.lane
// CHECK: masked.scatter
// CHECK: masked.gather
// CHECK: masked.scatter
// CHECK: masked.gather
// CHECK: {{^[}]$}}

extern "C" __global__ void of_places(unsigned *x, int n)
{
    unsigned own[20] = {};
    own[(threadIdx.x ^ n) % 20] = 1;
    x[threadIdx.x] = own[n];
}
// CHECK-LABEL: define internal i32 @of_places.region.0.full(
// CHECK: masked.scatter
// CHECK: masked.gather
// CHECK: {{^[}]$}}

/* Stored by some lanes alone. */
extern "C" __global__ void parted(unsigned *x, int n)
{
    unsigned own[20] = {};
    if (x[threadIdx.x] > 9)
        own[n] = 1;
    x[threadIdx.x] = own[x[0]];
}
// CHECK-LABEL: define internal i32 @parted.region.0.full(
// CHECK: masked.scatter
// CHECK: masked.gather
// CHECK: {{^[}]$}}

/* Stored by some lanes more often, as they leave the loop one by one. */
extern "C" __global__ void counted(unsigned *x, int n)
{
    unsigned own[20] = {};
    for (int j = 0; j < x[threadIdx.x]; j++)
        own[j % 20] = n + j;
    x[threadIdx.x] = own[n];
}
// CHECK-LABEL: define internal i32 @counted.region.0.full(
// CHECK: masked.scatter
// CHECK: masked.gather
// CHECK: {{^[}]$}}

/* Stored to by way of a pointer that may be another. */
extern "C" __global__ void seen(unsigned *x, int n)
{
    unsigned own[20] = {};
    unsigned *p = x[threadIdx.x] ? own : x;
    *p = n;
    x[threadIdx.x] = own[n];
}
// CHECK-LABEL: define internal i32 @seen.region.0.full(
// CHECK: masked.gather
// CHECK: {{^[}]$}}

/* A lane that waits stores later than others. */
extern "C" __global__ void waits(unsigned *x, int n)
{
    unsigned own[20] = {};
    own[n] = x[0];
    __syncthreads();
    x[n + 1] = own[x[1]];
}
// CHECK-LABEL: define internal i32 @waits.region.0.full(
// CHECK: masked.scatter
// CHECK: {{^[}]$}}
