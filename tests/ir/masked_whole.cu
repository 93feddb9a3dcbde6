/* masked_access.c: without AVX-512, shared memory is read, merged and written whole, and bytes are loaded whole where they
   are in one page; memory that other blocks may write is left alone. */
// RUN: %masked --no-avx512 | filecheck %s
// RUN: %masked | filecheck --check-prefix=WIDE %s
extern "C" __global__ void k(float *y, const float *x, const unsigned char *bytes)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (x[t] > 0) {
        s[t] = s[63 - t] + bytes[t];
        y[t] = 1;
    }
    __syncthreads();
    x += s[0] > 0;
    y[t + 64] = s[(t * 7) & 63] + x[t];
}
// CHECK-LABEL: define {{.*}} @k.pass.0.1
// CHECK: and i64 {{.*}}, 4095
// CHECK: icmp ule i64 {{.*}}, 4080
// CHECK: load <16 x i8>
// CHECK: load <16 x float>
// CHECK: select <16 x i1>
// CHECK: store <16 x float>
// CHECK: call void @llvm.masked.store.v16f32
// WIDE-LABEL: define {{.*}} @k.pass.0.1
// WIDE-NOT: 4095
// WIDE: {{^[}]$}}
