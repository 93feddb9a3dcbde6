/* lane_rows.c: four bytes or two halves of each lane are parts of one word, under masks, too, in whatever order they
   are read; where words are neighbours they are loaded. Three bytes are parts of two words. */
// RUN: %vectors --divergent-loops=vectors | filecheck %s
extern "C" __global__ void bytes(int *y, const unsigned char *x, const int *index)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned char *p = x + 4 * index[i];
    y[i] = p[3] + 2 * p[1] + 3 * p[0] + 4 * p[2];
}

extern "C" __global__ void masked(int *y, const short *x, const int *index)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (index[i] >= 0)
        y[i] = x[2 * index[i]] + 3 * x[2 * index[i] + 1];
}

extern "C" __global__ void neighbours(int *y, const unsigned char *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (y[i] >= 0)
        y[i] = x[4 * i] + 2 * x[4 * i + 1] + 3 * x[4 * i + 2] + 4 * x[4 * i + 3];
}

extern "C" __global__ void three(int *y, const unsigned char *x, const int *index)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned char *p = x + 3 * index[i];
    if (index[i] >= 0)
        y[i] = p[0] + 2 * p[1] + 3 * p[2];
}
/* The words of the last three bytes end behind the array, whose size LLVM knows. */
extern "C" __global__ void shared(int *y, const unsigned char *x, const int *index)
{
    __shared__ unsigned char s[3 * 33];
    int i = threadIdx.x;
    for (int k = i; k < 3 * 33; k += blockDim.x)
        s[k] = x[k];
    __syncthreads();
    const unsigned char *p = s + 3 * (index[i] & 31);
    y[i] = p[0] + 2 * p[1] + 3 * p[2];
}
// CHECK-LABEL: define internal i32 @bytes.region.0.full(
// CHECK: call <16 x i32> @llvm.masked.gather.v16i32{{.*}}, i32 1, <16 x i1>
// CHECK: lshr <16 x i32> {{.*}}, <i32 24, i32 24
// CHECK-NOT: call {{.*}}masked.gather
// CHECK: ret i32
// CHECK-LABEL: define internal i32 @masked.region.0.masked(
// CHECK: call <16 x i32> @llvm.masked.gather.v16i32{{.*}}, i32 2, <16 x i1>
// CHECK: lshr <16 x i32> {{.*}}, <i32 16, i32 16
// CHECK-NOT: call {{.*}}masked.gather
// CHECK: ret i32
// CHECK-LABEL: define internal i32 @neighbours.region.0.masked(
// CHECK-NOT: call {{.*}}masked.gather
// CHECK: call <16 x i32> @llvm.masked.load.v16i32{{.*}}, i32 1, <16 x i1>
// CHECK-NOT: call {{.*}}masked.gather
// CHECK: ret i32
// CHECK-LABEL: define internal i32 @three.region.0.masked(
// CHECK-COUNT-2: call <16 x i32> @llvm.masked.gather.v16i32{{.*}}, i32 4, <16 x i1>
// CHECK: call <16 x i32> @llvm.fshr.v16i32
// CHECK-NOT: call {{.*}}masked.gather
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @shared.region.0.full(
// CHECK-NOT: llvm.fshr
