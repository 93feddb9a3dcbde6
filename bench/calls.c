/* What a C program pays for calls of the driver: calls.py loads this and has it do what
   Python does, in the same context, a batch of each in turn. Any driver will do, so no
   header of one is needed. */
#include <stddef.h>
#include <time.h>

typedef int launch(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                   unsigned by, unsigned bz, unsigned shared, void *stream,
                   void **arguments, void **extra);
typedef unsigned long long address;
typedef int allocate(address *, size_t bytes);
typedef int release(address);
typedef int upload(address to, const void *from, size_t bytes);
typedef int download(void *to, address from, size_t bytes);

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds that so many launches of a block of 32 threads take; -1: one failed. */
double launches(launch *cuLaunchKernel, void *function, void **arguments, int count)
{
    double start = now();
    for (int i = 0; i < count; i++)
        if (cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0))
            return -1;
    return now() - start;
}

/* The same of as many allocations, each given back at once. */
double allocations(allocate *cuMemAlloc, release *cuMemFree, size_t bytes, int count)
{
    address memory;
    double start = now();
    for (int i = 0; i < count; i++)
        if (cuMemAlloc(&memory, bytes) || cuMemFree(memory))
            return -1;
    return now() - start;
}

/* The same of launches of which each gets host memory copied in and out. */
double round_trips(launch *cuLaunchKernel, upload *cuMemcpyHtoD, download *cuMemcpyDtoH,
                   void *function, void **arguments, address memory, void *host,
                   size_t bytes, int count)
{
    double start = now();
    for (int i = 0; i < count; i++)
        if (cuMemcpyHtoD(memory, host, bytes) ||
            cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0) ||
            cuMemcpyDtoH(host, memory, bytes))
            return -1;
    return now() - start;
}
