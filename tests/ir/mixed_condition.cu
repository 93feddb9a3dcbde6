/* mixed_conditions.c, vector_loops.c: of a condition that rows and lanes make together, also where LLVM made one number of
   both signs or a phi of the second half, the row's part is a branch of all lanes; the mask that is left is computed
   once for all rows, in front of the loop over them. */
// RUN: %vectors | filecheck --check-prefix=BRANCH %s
// RUN: %optimize | filecheck %s
extern "C" __global__ void k(float *out, const float *in, int width, int height)
{
    __shared__ float s[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 12 + tx - 2, y = blockIdx.y * 12 + ty - 2;
    s[ty][tx] = in[ty * 16 + tx];
    __syncthreads();
    if (x >= 0 && y >= 0 && x < width && y < height && tx >= 2 && ty >= 2 && tx < 14 && ty < 14)
        out[y * width + x] = s[15 - ty][tx];
}
// BRANCH-LABEL: define internal i32 @k.region.1.full(
// BRANCH: br i1 {{.*}}, label %yes, label %no
// BRANCH: br i1 {{.*}}, label %all, label %not.all
// BRANCH: {{^[}]$}}
// CHECK-LABEL: define internal i32 @k.pass.0.1(
// CHECK: icmp sgt <16 x i32>
// CHECK: {{^}}body[[ROWS:[0-9]+]]: {{.*}} preds = %k.region.1.full.exit
// CHECK-NOT: icmp {{[a-z]+}} <16 x i32>
// CHECK: masked.store
// CHECK-NOT: icmp {{[a-z]+}} <16 x i32>
// CHECK: br i1 {{.*}}, label {{.*}}, label %body[[ROWS]]
// CHECK: {{^[}]$}}
