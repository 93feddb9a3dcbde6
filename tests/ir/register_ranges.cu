/* retarget.c: LLVM knows the ranges of the special registers, so what cannot happen is not compiled, and what cannot be
   negative is not extended as signed. */
// RUN: %simplify | filecheck %s
extern "C" __global__ void k(float *y)
{
    if (threadIdx.x >= blockDim.x + 1024)
        y[0] = sqrtf(y[1]);
    y[(int)threadIdx.x] = 1;
}
// CHECK-LABEL: define {{.*}}@k(
// CHECK-NOT: sqrt
// CHECK: call i32 @llvm.nvvm.read.ptx.sreg.tid.x(){{.*}}, !range
// CHECK-NOT: sqrt
// CHECK: zext nneg i32
// CHECK: {{^[}]$}}
