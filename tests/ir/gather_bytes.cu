/* gather.c: under masks, numbers below 32 bits are cut out of gathered words; LLVM would branch a lane. */
// RUN: %vectors --divergent-loops=vectors | filecheck %s
extern "C" __global__ void k(int *y, const unsigned char *bytes, const short *halves, const int *index)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (index[i] >= 0)
        y[i] = bytes[index[i]] + halves[index[i]];
}
// CHECK-LABEL: define internal i32 @k.region.0.masked(
// CHECK-NOT: @llvm.masked.gather.v16i8
// CHECK: call <16 x i32> @llvm.masked.gather.v16i32
// CHECK: trunc <16 x i32> {{.*}} to <16 x i8>
// CHECK-NOT: @llvm.masked.gather.v16i16
// CHECK: call <16 x i32> @llvm.masked.gather.v16i32
// CHECK: trunc <16 x i32> {{.*}} to <16 x i16>
// CHECK-LABEL: define internal void @k.run.0(
