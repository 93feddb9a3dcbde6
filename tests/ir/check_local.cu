/* check_locals.c: an array whose indices become constants is in registers although it is checked, and the checks are gone;
   one that is beyond the end is still checked, which LLVM would have dropped. */
// RUN: %check --check=memory | filecheck %s
extern "C" __global__ void k(float *y)
{
    float a[4];
    for (int i = 0; i < 4; i++)
        a[i] = y[i];
    y[5] = a[0] * a[1] + a[2] * a[3];
}
extern "C" __global__ void beyond(float *y, int n)
{
    float a[4] = {};
    for (int i = 0; i <= 4; i++)
        a[i] = y[i];
    y[5] = a[n];
}
// CHECK-LABEL: define {{.*}}@k(
// CHECK-NOT: alloca
// CHECK: fmul contract float
// CHECK-NOT: hc.check.local
// CHECK-LABEL: define {{.*}}@beyond(
// CHECK: call void @hc.check.local(i64 16, i64 16
