/* loop_kinds.c: a loop that tries a compare and swap again until nobody has come between does not suspend, for a failure of
   its own is the success of another; loops that wait for a value do. */
// RUN: %regions | filecheck %s
__device__ double add(double *p, double x)
{
    unsigned long long *word = (unsigned long long *)p, old = *word, expected;
    do {
        expected = old;
        old = atomicCAS(word, expected, __double_as_longlong(x + __longlong_as_double(expected)));
    } while (expected != old);
    return __longlong_as_double(old);
}

extern "C" __global__ void retries(double *y, int *z, float *f, const double *x)
{
    int i = threadIdx.x;
    add(y + (int)x[i], x[i]);
    for (int old = *z; i > old;) { /* a maximum */
        int seen = atomicCAS(z, old, i);
        if (seen == old)
            break;
        old = seen;
    }
    float seen;
    do {
        seen = *(volatile float *)f;
    } while (atomicCAS((int *)f, __float_as_int(seen), __float_as_int(seen * 2)) != __float_as_int(seen));
    float old = *f, expected;
    do {
        expected = old;
        old = __int_as_float(atomicCAS((int *)f, __float_as_int(expected), __float_as_int(expected + i)));
    } while (expected != old && old < 1000);
}
// CHECK-LABEL: define i32 @retries.region.0(
// CHECK-NOT: @{{.*}}.region.1(

extern "C" __global__ void lock(int *z)
{
    while (atomicCAS(z, 0, 1) != 0)
        ;
    z[1]++;
    atomicExch(z, 0);
}
// CHECK-LABEL: define i32 @lock.region.0(
// CHECK-LABEL: define i32 @lock.region.1(

extern "C" __global__ void semaphore(int *z)
{
    int old;
    do {
        old = *(volatile int *)z;
    } while (old == 0 || atomicCAS(z, old, old - 1) != old);
}
// CHECK-LABEL: define i32 @semaphore.region.0(
// CHECK-LABEL: define i32 @semaphore.region.1(

extern "C" __global__ void announced(int *z)
{
    int old = *z, expected;
    do {
        expected = old;
        old = atomicCAS(z, expected, expected | 2);
    } while (!(old & 1));
}
// CHECK-LABEL: define i32 @announced.region.0(
// CHECK-LABEL: define i32 @announced.region.1(

extern "C" __global__ void ticket(int *z, const int *of)
{
    int mine = of[threadIdx.x];
    while (atomicCAS(z, mine, mine + 1) != mine)
        ;
}
// CHECK-LABEL: define i32 @ticket.region.0(
// CHECK-LABEL: define i32 @ticket.region.1(

extern "C" __global__ void another_place(int *z)
{
    int seen;
    do {
        seen = *(volatile int *)(z + 1);
    } while (atomicCAS(z, seen, 1) != seen);
}
// CHECK-LABEL: define i32 @another_place.region.0(
// CHECK-LABEL: define i32 @another_place.region.1(
