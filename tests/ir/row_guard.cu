/* row_guard.c: how many threads of a row come before the end of the data is computed once a row; vectors of those ask
   nothing, and what counts with them is widened without a look at the end of its range. Those behind it do not run unless
   the number that is compared wraps around. Masked code keeps registers. */
// RUN: %vectors | filecheck %s
// RUN: %optimize | filecheck --check-prefix=OPT %s
extern "C" __global__ void k(float *y, const float *x, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i];
}
// CHECK-LABEL: define internal i32 @k.region.0.full(
// CHECK-NOT: icmp {{[us]}}
// CHECK: store <16 x float>
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal void @k.run.0(
// CHECK: [[THREADS:%[-.a-zA-Z0-9_]+]] = sub i32
// CHECK: icmp uge i32 [[THREADS]],
// CHECK: [[BEHIND:%[-.a-zA-Z0-9_]+]] = add i32 [[FIRST:%[-.a-zA-Z0-9_]+]], [[ROW:%[-.a-zA-Z0-9_]+]]
// CHECK: [[WRAPS:%[-.a-zA-Z0-9_]+]] = icmp ult i32 [[BEHIND]], [[FIRST]]
// CHECK: call i32 @k.region.0.full({{.*}}, i32 poison, i32 -1)
// CHECK: select i1 [[WRAPS]], i32 [[ROW]], i32
// CHECK: br i1 {{.*}}, label %rest, label %done, !prof
// CHECK: call preserve_mostcc i32 @k.region.0.masked({{.*}}, i32 poison, i32
// CHECK: {{^[}]$}}
// OPT-LABEL: define internal void @k.run.0(
// OPT: zext i32 {{.*}} to i64, !dbg
// OPT-NEXT: getelementptr
// OPT-NEXT: load <16 x float>
// OPT-NEXT: getelementptr
// OPT: store <16 x float>
// OPT: {{^[}]$}}

/* One that returns, of two. */
extern "C" __global__ void rows(float *y, const float *x, int width, int height)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= width || j >= height)
        return;
    y[j * width + i] = x[j * width + i];
}
// CHECK-LABEL: define internal i32 @rows.region.0.full(
// CHECK-NOT: icmp {{.*}}<16
// CHECK-NOT: icmp ugt i32 {{.*}}, 15
// CHECK: {{^[}]$}}

/* Of members of a structure, by a quotient: a shift that is 0 if it is too far. */
struct part { float *y; long columns; unsigned rows, magic, shift; };
extern "C" __global__ void members(const part p)
{
    unsigned band = __umulhi(blockIdx.x, p.magic) >> p.shift, row = band * blockDim.y + threadIdx.y;
    long column = (long)(blockIdx.x - band * p.magic) * blockDim.x + threadIdx.x;
    if (column < p.columns && row < p.rows)
        p.y[row * p.columns + column] = 1;
}
// CHECK-LABEL: define internal i32 @members.region.0.full(
// CHECK-NOT: icmp {{.*}}<16
// CHECK-NOT: icmp ugt i32 {{.*}}, 15
// CHECK: store <16 x float>
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal void @members.run.0(
// CHECK: freeze i32
// CHECK: call i32 @members.region.0.full(

/* Not the threads from the row's start on. */
extern "C" __global__ void part(float *y, int n)
{
    if ((threadIdx.x & 15) < n)
        y[threadIdx.x] = 1;
}
// CHECK-LABEL: define internal i32 @part.region.0.full(
// CHECK: label %all, label %not.all
// CHECK-LABEL: define internal i32 @part.region.0.masked(

/* All threads do something first. */
extern "C" __global__ void writes(float *y, float *x, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = 1;
    if (i < n)
        y[i] = 2;
}
// CHECK-LABEL: define internal i32 @writes.region.0.full(
// CHECK: store <16 x float>
// CHECK: label %all, label %not.all
// CHECK-LABEL: define internal i32 @writes.region.0.masked(
