/* row_interior.c, decided_code.c, state_machine.c: where comparisons with what counts along a row go their usual way is computed
   once a row; vectors there run code without questions, in a loop of their own. The condition is computed again behind a barrier. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void k(int *out, const int *in, int columns, int rows, int row)
{
    __shared__ int s[256];
    int t = threadIdx.x, x = blockIdx.x * 240 + t - 8, best = 0;
    bool inside = x >= 0 && x < columns;
    if (inside)
        s[t] = in[x];
    __syncthreads();
    for (int i = 0; i < rows; i++) {
        bool active = inside && t > i && t < 255 - i && row + i < rows;
        if (active)
            best = s[x > 0 ? t - 1 : t] + s[x < columns - 1 ? t + 1 : t];
        __syncthreads();
        if (active)
            s[t] = best;
        __syncthreads();
    }
    if (inside)
        out[x] = s[t];
}
// CHECK-LABEL: define internal i32 @k.region.1.interior.full(
// CHECK-NOT: icmp {{[a-z]+}} <16
// CHECK: load <16 x i32>
// CHECK-NOT: icmp {{[a-z]+}} <16
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @k.region.2.interior.full(
// CHECK-NOT: icmp {{[a-z]+}} <16
// CHECK: store <16 x i32>
// CHECK-NOT: icmp {{[a-z]+}} <16
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal i32 @k.pass.0.2(
// CHECK: {{^}}interior:
// CHECK: call i32 @k.region.2.interior.full(
// CHECK: br i1 {{.*}}, label %interior, label %behind
// CHECK: {{^}}border:
// CHECK: call i32 @k.region.2.full(
// CHECK: {{^[}]$}}
