/* control_flow.c, short_branches.c, uniformity.c: a loop that all lanes leave together has no masks, and keeps its sum in
   a register; the same where only some lanes come to it. */
// RUN: %vectors | filecheck %s
// RUN: %optimize | filecheck --check-prefix=OPT %s
extern "C" __global__ void k(float *y, const float *a, const float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < n; j++)
        sum += a[j] * b[j * n + i];
    y[i] += sum;
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: <16 x i1>
// CHECK: {{^[}]$}}
// OPT-LABEL: define internal i32 @k.region.0.masked(
// OPT: {{^}}[[AGAIN:again[0-9]*]]:
// OPT: [[SUM:%[-.a-zA-Z0-9_]+]] = phi <16 x float>
// OPT-NOT: <16 x i1>{{ *}}[
// OPT-NOT: select
// OPT: [[NEXT:%[-.a-zA-Z0-9_]+]] = fadd contract <16 x float> {{.*}}[[SUM]]
// OPT-NOT: select
// OPT: br i1 {{.*}}, label %[[AGAIN]]
// OPT: {{^[}]$}}
// OPT-LABEL: define internal void @k.run.0(
// OPT: [[SUM:%[-.a-zA-Z0-9_]+]] = phi <16 x float>
// OPT: load float, ptr
// OPT: load <16 x float>, ptr
// OPT: fadd contract <16 x float> {{.*}}[[SUM]]
// OPT-NOT: store <16 x float>
// OPT: br i1
// OPT: {{^[}]$}}
