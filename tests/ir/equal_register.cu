/* equal_phis.c: LLVM reads blockDim on both ways around a loop that may not run, and merges what it reads. All lanes have
   one number all the same: what counts by it is saved once for a block, and later loops over the block read what is
   consecutive. */
// RUN: %simplify | filecheck --check-prefix=BEFORE %s
// RUN: %regions | filecheck --check-prefix=REGIONS %s
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    float sum = 0;
    for (int i = t; i < n; i += blockDim.x)
        sum += x[i];
    s[t] = sum;
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    for (int i = t; i < n; i += blockDim.x)
        y[i] = x[i] / s[0];
}
// BEFORE: [[READ:%[-.a-zA-Z0-9_]+]] = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
// BEFORE: phi i32 [ [[READ]], {{.*}} ], [ {{.*}} ]
// REGIONS-LABEL: define i32 @k.region.4(
// REGIONS: [[COUNT:%[-.a-zA-Z0-9_]+]] = call ptr @hc.slot(i32 {{[0-9]+}}, i32 0, i32 4
// REGIONS-NEXT: load i32, ptr [[COUNT]]
// REGIONS: {{^[}]$}}
// CHECK-LABEL: define internal i32 @k.region.4.full(
// CHECK-NOT: masked.gather
// CHECK-NOT: masked.scatter
// CHECK: load <32 x float>
// CHECK-NOT: masked.gather
// CHECK-NOT: masked.scatter
// CHECK: {{^[}]$}}
