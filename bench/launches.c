/* What a C program pays for cuLaunchKernel: calls.py loads this and has it launch what
   Python launches, in the same context, a batch of each in turn. Any driver will do, so
   no header of one is needed. */
#include <time.h>

typedef int launch(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                   unsigned by, unsigned bz, unsigned shared, void *stream,
                   void **arguments, void **extra);

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
