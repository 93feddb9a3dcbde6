/* retarget.c: the copy of a structure that a kernel takes by value goes away where threads only read it. parameters.c: its
   members are read in front of the loop over a row's vectors. */
// RUN: %simplify | filecheck %s
// RUN: %optimize | filecheck --check-prefix=OPT %s
struct job { const float *x; float scale; int first[3]; };
extern "C" __global__ void k(float *y, job j)
{
    y[threadIdx.x] = j.x[threadIdx.x + j.first[blockIdx.x]] * j.scale;
}
// CHECK-LABEL: define {{.*}}@k(
// CHECK-NOT: alloca
// CHECK-NOT: memcpy
// CHECK: {{^[}]$}}
// OPT-LABEL: define internal void @k.run.0(
// OPT: load float, ptr
// OPT: = phi i64
// OPT-NOT: load {{[^<]}}
// OPT: store <16 x float>
