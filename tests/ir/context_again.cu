/* state_machine.c: what is cheap is computed again after a barrier, not saved: here the thread's index, so nothing at all is. */
// RUN: %regions | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    s[t] = x[i];
    __syncthreads();
    y[i] = s[255 - t];
}
// CHECK-LABEL: define i32 @k.region.0(
// CHECK-NOT: hc.slot
// CHECK: ret i32 1
// CHECK-LABEL: define i32 @k.region.1(
// CHECK-NOT: hc.slot
// CHECK: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
// CHECK-NOT: hc.slot
// CHECK: {{^[}]$}}
