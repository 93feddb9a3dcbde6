/* state_machine.c: an index that is needed as 64 bits on both sides of a barrier is saved as its base in 32 bits, and
   widened again: read back as lanes it would make a scatter of the store. A clamped one is clamped again, where it is
   seen that it is. */
// RUN: %regions | filecheck --check-prefix=REGIONS %s
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x, int columns, int from)
{
    __shared__ float s[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int i = columns * blockDim.y * blockIdx.y + blockDim.x * blockIdx.x + columns * ty + tx + from;
    s[ty][tx] = x[i];
    __syncthreads();
    y[i] = s[15 - ty][tx];
}
extern "C" __global__ void clamped(float *y, const float *x, int columns, int from)
{
    __shared__ float s[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int i = columns * blockDim.y * blockIdx.y + blockDim.x * blockIdx.x + columns * ty + tx + from;
    int before = max(i - 1, 0);
    s[ty][tx] = x[before];
    __syncthreads();
    y[i] = s[15 - ty][tx] + x[before];
}
// REGIONS-LABEL: define i32 @k.region.0(
// REGIONS-NOT: i32 {{64|128}})
// REGIONS: hc.slot(i32 0, i32 0, i32 4, i1 false)
// REGIONS-NOT: i32 {{64|128}})
// REGIONS-LABEL: define i32 @k.region.1(
// REGIONS-NOT: i32 {{64|128}})
// REGIONS: hc.slot(i32 0, i32 0, i32 4, i1 false)
// REGIONS-NOT: i32 {{64|128}})
// REGIONS-LABEL: define i32 @clamped.region.0(
// REGIONS-NOT: i32 {{64|128}})
// REGIONS: hc.slot(i32 0, i32 0, i32 4, i1 false)
// REGIONS-NOT: i32 {{64|128}})
// REGIONS-LABEL: define i32 @clamped.region.1(
// REGIONS-NOT: i32 {{64|128}})
// REGIONS: hc.slot(i32 0, i32 0, i32 4, i1 false)
// REGIONS-NOT: i32 {{64|128}})
// REGIONS: {{^[}]$}}
// CHECK-LABEL: define internal i32 @k.region.1.full(
// CHECK-NOT: masked
// CHECK: store <16 x float>
// CHECK-NOT: masked
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @clamped.region.1.full(
// CHECK: br i1 {{.*}}, label %yes, label %no
// CHECK: load <16 x float>
// CHECK: masked.gather
// CHECK: {{^[}]$}}
