/* atomics.c, lane_scalars.c: one thread of the machine runs a whole block, so atomics on shared memory need not be atomic.
   While all lanes run, each does its own in straight code, at base[index]; indices of 8 bits leave their vector as
   words, eight at a time. What is loaded for this alone, each lane loads when it is its turn, unless something is
   written in between or the vector is needed, too. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(int *y, const int *x)
{
    __shared__ int s[64];
    atomicAdd(&s[x[threadIdx.x] & 63], 1);
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x & 31];
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: atomicrmw
// CHECK-NOT: each.lane
// CHECK: bitcast <16 x i32> {{.*}} to <8 x i64>
// CHECK: getelementptr [64 x i32], ptr {{.*}}, i64 0, i64
// CHECK: [[OLD:%[-.a-zA-Z0-9_]+]] = load i32, ptr [[P:%[-.a-zA-Z0-9_]+]]
// CHECK-NEXT: [[NEW:%[-.a-zA-Z0-9_]+]] = add i32 [[OLD]], 1
// CHECK-NEXT: store i32 [[NEW]], ptr [[P]]
// CHECK-NOT: atomicrmw
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @k.region.0.masked(
// CHECK-NOT: atomicrmw
// CHECK: {{^}}each.lane:
// CHECK: {{^[}]$}}

extern "C" __global__ void bytes(unsigned *y, const unsigned char *x)
{
    __shared__ unsigned s[256];
    unsigned char i = x[threadIdx.x] ^ 1;
    atomicMax(&s[i], 7u);
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x];
}
// CHECK-LABEL: define internal i32 @bytes.region.0.full(
// CHECK: [[WORDS:%[-.a-zA-Z0-9_]+]] = bitcast <16 x i8> {{.*}} to <2 x i64>
// CHECK: [[WORD:%[-.a-zA-Z0-9_]+]] = extractelement <2 x i64> [[WORDS]], i64 0
// CHECK: lshr i64 {{.*}}, 8
// CHECK: and i64 {{.*}}, 255
// CHECK: lshr i64 {{.*}}, 56
// CHECK: call i32 @llvm.umax.i32(
// CHECK: {{^[}]$}}

extern "C" __global__ void loaded(unsigned *y, const unsigned char *x)
{
    __shared__ unsigned s[256];
    atomicMax(&s[x[threadIdx.x]], 7u);
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x];
}
// CHECK-LABEL: define internal i32 @loaded.region.0.full(
// CHECK-COUNT-16: {{zext i8 .* to i64.*[[:space:]].*getelementptr.*[[:space:]].*load i32.*[[:space:]].*call i32 @llvm.umax.i32\(}}
// CHECK: {{^[}]$}}

extern "C" __global__ void written(unsigned *y, unsigned char *x)
{
    __shared__ unsigned s[256];
    unsigned char i = x[threadIdx.x];
    x[threadIdx.x + 1] = 3;
    atomicMax(&s[i], 7u);
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x];
}
// CHECK-LABEL: define internal i32 @written.region.0.full(
// CHECK: bitcast <16 x i8> {{.*}} to <2 x i64>
// CHECK-NOT: load i8
// CHECK: {{^[}]$}}
