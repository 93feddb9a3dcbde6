/* equal_stores.c: what the ways of a chain store last in one place is stored once, where they meet; to different places, each
   for itself: one place in memory that is a neighbour's on one way and not on the other would be anywhere. */
// RUN: %stores | filecheck %s
// RUN: %vectors | filecheck --check-prefix=VECTORS %s
extern "C" __global__ void k(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (x[i] < 0)
            y[i] = sinf(x[i]);
        else if (x[i] < 1)
            y[i] = cosf(x[i]);
        else
            y[i] = expf(x[i]);
    }
}

extern "C" __global__ void two(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] < 0)
        y[i] = 1;
    else
        y[i + n] = 2;
}
// CHECK-LABEL: define dso_local void @k(
// CHECK: store float
// CHECK-NOT: store float
// CHECK-LABEL: define dso_local void @two(
// CHECK: store float 1.0
// CHECK: store float 2.0
// CHECK-LABEL: {{^[}]}}
// VECTORS-LABEL: define internal i32 @k.region.0.full(
// VECTORS-NOT: masked.store
// VECTORS: store <16 x float>
// VECTORS: {{^[}]$}}
