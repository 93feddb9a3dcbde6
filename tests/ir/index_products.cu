/* defined_behaviour.c: products of indices, whose factors are small, keep the promise not to wrap around, which makes their
   addresses evenly spaced; those of hashes wrap. */
// RUN: %simplify | filecheck %s
extern "C" __global__ void k(int *y, const int *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[x[i] * 12] + x[i] * 1664525;
}
// CHECK-LABEL: define {{.*}}@k(
// CHECK-DAG: mul nsw i32 {{.*}}, 12
// CHECK-DAG: mul i32 {{.*}}, 1664525
// CHECK: {{^[}]$}}
