/* loop_kinds.c: vectors do not go in step where a turn has to do with shared memory alone, nor where they have barriers and
   compute for long, nor where a long loop inside computes. */
// RUN: %vectors | filecheck %s
// CHECK: define internal i32 @computes.region.1.full(
// CHECK-NOT: define internal i32 @computes.region.2
// CHECK-NOT: define internal i32 @shares.region.1
// CHECK: define internal i32 @loads.region.2.full(
// CHECK-NOT: define internal i32 @iterates.region.1
// CHECK: define internal i32 @turns.region.1.full(
extern "C" __global__ void computes(float *x, int n)
{
    for (int i = blockIdx.x; i < n; i += gridDim.x) {
        float v = x[i * blockDim.x + threadIdx.x];
        __syncthreads();
#pragma unroll
        for (int k = 1; k < 40; k++)
            v = v * v / k + 1;
        x[i * blockDim.x + threadIdx.x] = v;
    }
}
extern "C" __global__ void shares(float *x, int n)
{
    __shared__ float s[256];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += s[i & 255];
    x[threadIdx.x] = sum;
}
extern "C" __global__ void loads(float *x, int n)
{
    for (int i = blockIdx.x; i < n; i += gridDim.x) {
        float v = x[i * blockDim.x + threadIdx.x];
        __syncthreads();
        x[i * blockDim.x + threadIdx.x] = v + 1;
    }
}
template <int length> __device__ void iterate(float *x, int n)
{
    for (int i = blockIdx.x; i < n; i += gridDim.x) {
        float v = x[i * blockDim.x + threadIdx.x];
        for (int turns = 0; turns < 1000 && v < 4; turns++)
#pragma unroll
            for (int k = 0; k < length; k++)
                v = v * v - k;
        x[i * blockDim.x + threadIdx.x] = v;
    }
}
extern "C" __global__ void iterates(float *x, int n) { iterate<100>(x, n); }
extern "C" __global__ void turns(float *x, int n) { iterate<4>(x, n); }
