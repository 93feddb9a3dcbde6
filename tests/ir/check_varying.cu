/* check_code.c: lanes anywhere are compared in registers, all at once, and only those that run. */
// RUN: %vectors --check=memory | filecheck %s
extern "C" __global__ void k(float *y, const int *at)
{
    if (at[threadIdx.x] > 0)
        y[at[threadIdx.x]] = 1;
}
// CHECK-LABEL: define internal i32 @k.region.0.masked(
// CHECK: [[BAD:%[-.a-zA-Z0-9_]+]] = icmp uge <16 x i64>
// CHECK: select <16 x i1> {{.*}}, <16 x i1> [[BAD]], <16 x i1> zeroinitializer
// CHECK: br i1 {{.*}}, label %check.failed
