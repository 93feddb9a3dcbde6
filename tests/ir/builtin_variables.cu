/* builtin_variables.c: a member of threadIdx is a register; of a copy and of a reference only those members are read that
   are used. */
// RUN: %simplify | filecheck %s
__device__ unsigned sum(const uint3 &v) { return v.x + v.y; }
extern "C" __global__ void k(unsigned *y, int n)
{
    auto t = threadIdx;
    y[t.x + blockIdx.x] = sum(blockIdx);
}
// CHECK-LABEL: define {{.*}}@k(
// CHECK-NOT: alloca
// CHECK-NOT: sreg.{{.*}}.z(
// CHECK-DAG: call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
// CHECK-DAG: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
// CHECK-DAG: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
// CHECK-NOT: alloca
// CHECK-NOT: sreg.{{.*}}.z(
// CHECK: {{^[}]$}}
