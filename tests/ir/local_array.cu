/* local_arrays.c: a thread's array whose elements are all of one size is interleaved with those of the vector's other threads,
   so that an index that is the same in all lanes is one consecutive access. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float own[20];
    for (int j = 0; j < n; j++)
        own[j] = x[i] * j;
    float sum = 0;
    for (int j = 0; j < n; j++)
        sum += own[n - j] * sum;
    y[i] = sum;
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK: %local = alloca [1280 x i8]
// CHECK-NOT: scatter
// CHECK-NOT: gather
// CHECK: fmul contract <16 x float>
// CHECK: store <16 x float>
// CHECK-NOT: gather
// CHECK: {{^[}]$}}
