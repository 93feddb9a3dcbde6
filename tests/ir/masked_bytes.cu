/* masked_access.c: without AVX-512, bytes are stored lane by lane through the bits of their mask, those of one mask in one
   loop, or whole where all lanes run. */
// RUN: %masked --no-avx512 | filecheck %s
// RUN: %masked | filecheck --check-prefix=WIDE %s
extern "C" __global__ void k(unsigned char *a, unsigned char *b, const float *x)
{
    int t = threadIdx.x;
    if (x[t] > 0) {
        a[t] = 1;
        b[t] = 2;
    }
}
// CHECK-LABEL: define {{.*}} @k.run
// CHECK: icmp eq i64 {{.*}}, 65535
// CHECK: store <16 x i8> {{.*}} 1
// CHECK: store <16 x i8> {{.*}} 2
// CHECK: [[LANE:%.*]] = call {{.*}} @llvm.cttz.i64
// CHECK: getelementptr {{.*}} i64 [[LANE]]
// CHECK-NEXT: store i8
// CHECK: getelementptr {{.*}} i64 [[LANE]]
// CHECK-NEXT: store i8
// CHECK-NEXT: sub i64
// CHECK-NOT: @llvm.masked.store
// CHECK: {{^[}]$}}
// WIDE-LABEL: define {{.*}} @k.run
// WIDE: call void @llvm.masked.store.v16i8
