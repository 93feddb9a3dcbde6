/* lane_order.c, control_flow.c, mixed_conditions.c: conditions that are joined by && are asked of lane 0, each in turn, where one
   alone would be, be it computed in an earlier block; so is one that stands behind another. The mask is made for vectors in part. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(float *y, const float *x, int n, int turns)
{
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 240 + t - 8;
    bool inside = i >= 0 && i < n;
    s[t] = inside ? x[i] : 0;
    for (int turn = 0; turn < turns; turn++) {
        __syncthreads();
        if (inside && t > turn && t < 255 - turn && turn + i < 2 * n)
            y[i] += s[255 - t];
        __syncthreads();
        s[t] += 1;
    }
}
// CHECK-LABEL: define internal i32 @k.region.1.full(
// CHECK-NOT: eq i16 {{.*}}, -1
// CHECK: br i1 {{.*}}, label %all, label %not.all
// CHECK: {{^}}not.all:
// CHECK: icmp eq i16 {{.*}}, 0
// CHECK: br i1 {{.*}}, label %none, label %part
// CHECK-NOT: eq i16 {{.*}}, -1
// CHECK: {{^[}]$}}
