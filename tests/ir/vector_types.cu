/* simplify.c: clang's vector types are taken apart into numbers, since a lane is a number; so are casts of their bits. */
// RUN: %simplify | filecheck %s
typedef float four __attribute__((ext_vector_type(4)));
typedef unsigned short halves __attribute__((ext_vector_type(2)));
extern "C" __global__ void k(four *y, const four *x, unsigned *u, halves h)
{
    y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x].wzyx;
    u[threadIdx.x] = __builtin_bit_cast(unsigned, h + (halves)(unsigned short)threadIdx.x);
}
// CHECK-LABEL: define {{.*}}@k(
// CHECK-NOT: load <4 x float>
// CHECK-COUNT-4: fmul contract float
// CHECK-NOT: bitcast <2 x i16>
// CHECK-NOT: load <4 x float>
// CHECK: {{^[}]$}}
