/* check_code.c, check_accesses.c: in full code evenly spaced lanes are held against the bounds of what the parameter
   points into by one comparison; hostcuda is called where that fails, and nowhere else. */
// RUN: %vectors --check=memory | filecheck %s
extern "C" __global__ void k(float *y, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + 1;
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK: start:
// CHECK-NOT: icmp {{.*}} <16 x
// CHECK: icmp uge i64
// CHECK-NEXT: br i1 {{.*}}, label %check.failed, label %checked
// CHECK-NOT: icmp
// CHECK: check.failed:
// CHECK: call void
// CHECK: checked:
// CHECK: load <16 x float>, ptr
// CHECK-NOT: icmp {{.*}} <16 x
// CHECK: icmp uge i64
// CHECK-NEXT: br i1 {{.*}}, label %check.failed
// CHECK: store <16 x float> {{.*}}, ptr
// CHECK-NOT: icmp
// CHECK-LABEL: define internal i32 @k.region.0.masked(
