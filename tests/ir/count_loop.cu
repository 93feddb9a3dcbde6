/* count_lines.c, count_code.c: blocks that run equally often share a counter, here those around the loop; nothing in the
   loop writes to memory, and what it has counted is added to the counter behind it. */
// RUN: %optimize --coverage | filecheck %s
extern "C" __global__ void k(float *x, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i * 64 + threadIdx.x];
    x[threadIdx.x] = sum;
}
// CHECK-LABEL: define internal void @k.run.0(
// CHECK: store i64
// CHECK: store i64
// CHECK: phi <16 x float>
// CHECK-NOT: store
// CHECK: br i1
// CHECK: store i64
