/* grid_loops.c: in a loop over the grid whose iterations any thread may run, each vector goes along elements that lie one behind the
   other, unless arrays overlap or counters wrap; nothing suspends. Not so where threads keep values, differ elsewhere, end early,
   do what cannot be told to be apart, or read what other iterations write. */
// RUN: %grid | filecheck --check-prefix=GRID %s
// RUN: %vectors | filecheck %s
#define LOOP for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
#define KERNEL(name, ...) extern "C" __global__ void name(float *y, const float *x, const int *k, int n) { __VA_ARGS__ }
KERNEL(scale, LOOP y[i] = 2 * x[i];)
KERNEL(stencil, LOOP if (i > 0) y[i] = x[i - 1] + x[i];)
KERNEL(keeps, float s = 0; LOOP y[i] = s += x[i];)
KERNEL(differs, LOOP y[i] = x[i] + threadIdx.x;)
KERNEL(ends, LOOP { if (x[i] < 0) break; y[i] = x[i]; })
KERNEL(gathers, LOOP y[i] = x[k[i]];)
KERNEL(shifts, LOOP y[i] = y[i + 1];)
KERNEL(counts, LOOP atomicAdd(y, x[i]);)
KERNEL(leaves, LOOP y[i] = x[i]; y[0] = 1;)
KERNEL(twice, for (int j = 0; j < 2; j++) LOOP y[i] += x[i];)
// GRID-LABEL: define {{.*}}void @scale(
// GRID: [[END_Y:%[-.a-zA-Z0-9_]+]] = icmp ule i64
// GRID: [[END_X:%[-.a-zA-Z0-9_]+]] = icmp ule i64
// GRID: or i1
// GRID: icmp eq ptr
// GRID: [[BY:%[-.a-zA-Z0-9_]+]] = select i1 [[MAY:%[-.a-zA-Z0-9_]+]], i32 {{.*}}, i32 1
// GRID: [[UP:%[-.a-zA-Z0-9_]+]] = udiv i32 {{.*}}, [[BY]]
// GRID: [[TURNS:%[-.a-zA-Z0-9_]+]] = select i1 [[MAY]], i32 [[UP]], i32 1
// GRID: [[LANE:%[-.a-zA-Z0-9_]+]] = call i32 @hc.lane()
// GRID: [[BASE:%[-.a-zA-Z0-9_]+]] = mul i32 {{.*}}, [[TURNS]]
// GRID: [[FIRST:%[-.a-zA-Z0-9_]+]] = add {{.*}}i32 [[BASE]], [[LANE]]
// GRID: phi i32 [ [[FIRST]]
// GRID: call void @hc.turns(i32 [[TURNS]])
// GRID-LABEL: define {{.*}}void @stencil(
// GRID: call void @hc.turns(
// GRID-LABEL: define {{.*}}void @keeps(
// GRID-NOT: call void @hc.turns(
// CHECK-LABEL: define internal i32 @scale.region.0.full(
// CHECK-NOT: hc.lockstep
// CHECK: load <32 x float>
// CHECK: store <32 x float>
// CHECK: {{^[}]$}}
// CHECK-NOT: define internal i32 @scale.region.1
