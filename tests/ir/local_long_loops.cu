/* simplify.c: loops over a local array that are longer than others that are unrolled are, too: the array is registers, and
   what a branch exchanges are minima and maxima. So is a ring that a loop goes around several times, if the source has the
   loop unrolled that far, whatever it does in some of the turns. */
// RUN: %simplify | filecheck %s
extern "C" __global__ void k(unsigned *y, const unsigned *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned own[20];
    #pragma unroll
    for (int j = 0; j < 20; j++)
        own[j] = x[20 * i + j];
    #pragma unroll
    for (int j = 0; j < 20; j++)
        for (int q = 0; q < 19 - j; q++)
            if (own[q] > own[q + 1]) {
                unsigned greater = own[q];
                own[q] = own[q + 1];
                own[q + 1] = greater;
            }
    for (int j = 0; j < 20; j++)
        y[20 * i + j] = own[j];
}
// CHECK-LABEL: define {{.*}}@k(
// CHECK-NOT: alloca
// CHECK-NOT: br i1
// CHECK: call i32 @llvm.umax.i32
// CHECK-NOT: br i1
// CHECK: {{^[}]$}}

extern "C" __global__ void ring(unsigned *y, const unsigned *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned w[16], v = 0;
    for (int j = 0; j < 16; j++)
        w[j] = x[16 * i + j];
#pragma unroll 16
    for (int j = 0; j < 64; j++) {
        if (j >= 16)
            w[j & 15] += w[(j + 1) & 15] ^ w[(j + 9) & 15];
        v = (v ^ w[j & 15]) * x[j];
    }
    y[i] = v;
}
// CHECK-LABEL: define {{.*}}@ring(
// CHECK-NOT: alloca
// CHECK: {{^[}]$}}
