/* The time of day of host code. */
#ifndef HOSTCC_SYS_TIME_H
#define HOSTCC_SYS_TIME_H
#include <sys/types.h>

extern "C" {
struct timeval {
    time_t tv_sec;
    long tv_usec;
};
int gettimeofday(struct timeval *, void *) noexcept;
}
#endif
