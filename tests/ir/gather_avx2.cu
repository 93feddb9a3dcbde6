/* unit.c: LLVM takes gathers under masks on all processors of AVX2. */
// RUN: %vectors --cpu=x86-64-v3 | filecheck %s
extern "C" __global__ void k(float *y, const float *x, const int *at)
{
    int i = threadIdx.x;
    if (x[i] > 0)
        y[i] = x[at[i]];
}
// CHECK: call {{.*}}@llvm.masked.gather
// CHECK: "target-features"="{{[^"]*}}+fast-gather
