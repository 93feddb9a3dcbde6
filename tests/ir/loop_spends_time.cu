/* loop_kinds.c, addresses.c: a loop that counts in a volatile variable of the thread's own waits for nobody, so it does not suspend;
   one that looks at volatile memory of others does. */
// RUN: %regions | filecheck %s
extern "C" __global__ void spends(int *y, int n)
{
    for (volatile int k = 0; k < n; k++)
        ;
    volatile int turn[2] = {n, n};
    while (turn[threadIdx.x & 1]-- > 0)
        ;
    y[threadIdx.x] = turn[0] + turn[1];
}
// CHECK-NOT: define i32 @spends.region.1(

extern "C" __global__ void waits(int *y, volatile int *flag)
{
    while (!*flag)
        ;
    y[threadIdx.x] = 1;
}
// CHECK: define i32 @waits.region.0(
// CHECK: define i32 @waits.region.1(
