/* check_locals.c: an array whose indices become constants is in registers although it is checked, and the checks are gone;
   one that is beyond the end is still checked, which LLVM would have dropped. Of indices that a loop counts through, or
   that a condition bounds, none is checked where all are right. */
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
extern "C" __global__ void counted(float *y, int n)
{
    float a[256];
    for (int i = 0; i < 256; i++)
        a[255 - i] = y[i];
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < 15 - j; i++)
            if (a[i] > a[i + 1])
                a[i] = y[i];
    if (n >= 0 && n < 256)
        y[n] = a[n];
}
extern "C" __global__ void one_too_many(float *y)
{
    float a[256] = {};
    for (int i = 0; i < 256; i++)
        if (y[i] > 0)
            a[i + 1] = y[i];
    for (int i = 0; i < 256; i++)
        y[i] = a[i];
}
// CHECK-LABEL: define {{.*}}@k(
// CHECK-NOT: alloca
// CHECK: fmul contract float
// CHECK-NOT: hc.check.local
// CHECK-LABEL: define {{.*}}@beyond(
// CHECK: call void @hc.check.local(i64 16, i64 16
// CHECK-LABEL: define {{.*}}@counted(
// CHECK-NOT: hc.check.local
// CHECK-LABEL: define {{.*}}@one_too_many(
// CHECK: call void @hc.check.local(
// CHECK-NOT: call void @hc.check.local(
// CHECK-NOT: hc.fits
