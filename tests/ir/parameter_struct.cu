/* retarget.c: the copy of a structure that a kernel takes by value goes away where threads only read it. */
// RUN: %simplify | filecheck %s
struct job { const float *x; float scale; int first[3]; };
extern "C" __global__ void k(float *y, job j)
{
    y[threadIdx.x] = j.x[threadIdx.x + j.first[blockIdx.x]] * j.scale;
}
// CHECK-LABEL: define {{.*}}@k(
// CHECK-NOT: alloca
// CHECK-NOT: memcpy
// CHECK: {{^[}]$}}
