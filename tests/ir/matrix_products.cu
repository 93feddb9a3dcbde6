/* intrinsic_calls.c: bytes of matrices are multiplied as pairs of 16 bits, all lanes of a register by one instruction; LLVM looks at
   nothing in it, where it looked at each bit of each product. */
// RUN: %vectors | filecheck %s
// RUN: %vectors --cpu=x86-64-v3 | filecheck %s --check-prefix=NARROW
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(const signed char *a, const signed char *b, int *c)
{
    fragment<matrix_a, 16, 16, 16, signed char, row_major> x;
    fragment<matrix_b, 16, 16, 16, signed char, col_major> y;
    fragment<accumulator, 16, 16, 16, int> s;
    fill_fragment(s, 0);
    load_matrix_sync(x, a, 16);
    load_matrix_sync(y, b, 16);
    mma_sync(s, x, y, s);
    store_matrix_sync(c, s, 16, mem_row_major);
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK: call <16 x i32> @llvm.x86.avx512.pmaddw.d.512(
// CHECK-NOT: = mul <32 x i32>
// CHECK: {{^[}]$}}
// NARROW-LABEL: define internal i32 @k.region.0.full(
// NARROW: call <8 x i32> @llvm.x86.avx2.pmadd.wd(
// NARROW: {{^[}]$}}
