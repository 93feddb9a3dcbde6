/* lazy_objects.c, lazy_loading.c: a kernel that is compiled by itself, of an object, leaves nothing of the others, and finds the
   variables of the first image by addresses that it loads; what is constant it has itself. */
// RUN: %hostcc -rdc=true %s -o %t.o
// RUN: env HOSTCC_DUMP=imports %hostcc --kernel=reads %t.o -o %t.image 2>&1 | filecheck %s
// RUN: not %hostcc --kernel=reads %s -o %t.image 2>&1 | filecheck --check-prefix=TEXT %s
// RUN: not %hostcc --kernel=none %t.o -o %t.image 2>&1 | filecheck --check-prefix=NONE %s
static __device__ int count = 3;
__constant__ float scale[4] = {1, 2, 3, 4};
static __device__ const int odd[] = {1, 3, 5, 7, 9, 11};
extern "C" __global__ void writes(float *x)
{
    x[threadIdx.x] = count++;
}
extern "C" __global__ void reads(float *x, int i)
{
    x[threadIdx.x] = scale[threadIdx.x & 3] + count + odd[i];
}
// CHECK-NOT: @writes
// CHECK: @_ZL3odd = {{.*}}constant [6 x i32] [i32 1,
// CHECK: @"import of scale" = internal global ptr null
// CHECK: @"import of _ZL5count" = internal global ptr null
// CHECK-LABEL: define internal i32 @reads.region.0.full(
// CHECK: load ptr addrspace(1), ptr @"import of _ZL5count"{{.*}}!invariant.load
// CHECK: load ptr addrspace(4), ptr @"import of scale"{{.*}}!invariant.load
// CHECK-NOT: ptr addrspace({{[14]}}) @{{scale|_ZL5count}}
// NONE: no kernel 'none'
// TEXT: lazy_loading.cu' is not an object
