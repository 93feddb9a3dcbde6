/* lane_loops.c, scalar_loops.c: what lanes give that run one after the other and store meanwhile is put together in a register: who
   reads a vector whose lanes have just been stored waits for all that was stored before. What they give that store nothing is put
   together in memory. */
// RUN: %vectors | filecheck %s
extern "C" __global__ void stores(const int *x, const int *edge, const int *start, char *next, int *level, int *y)
{
    int i = threadIdx.x, end = 0;
    if (x[i] > 0) {
        next[edge[i]] = 1;
        level[edge[i]] = i;
        end = start[i + 1];
    }
    y[i] = end;
}
extern "C" __global__ void searches(const int *x, const int *start, const int *edge, const int *seen, int *y)
{
    int i = threadIdx.x, sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
        sum += seen[edge[edge[k]]] + seen[edge[edge[k] + 1]] + seen[edge[k] + 7];
    y[i] = sum;
}
// CHECK-LABEL: define internal i32 @stores.region.0.full(
// CHECK: {{^}}each.lane
// CHECK: store i8 1
// CHECK: [[IS:%[-.a-zA-Z0-9_]+]] = icmp eq <16 x i32> <i32 0, i32 1,
// CHECK: select <16 x i1> [[IS]], <16 x i32>
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal {{.*}}i32 @searches.region.0.masked(
// CHECK: {{^}}each.lane
// CHECK-NOT: icmp eq <16 x i32> <i32 0, i32 1,
// CHECK: {{^[}]$}}
