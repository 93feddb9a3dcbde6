/* Times of host code; clock of kernels is in hostcc/. */
#ifndef HOSTCC_TIME_H
#define HOSTCC_TIME_H
#include <stddef.h>
#include <hostcc_locale_t.h>
#include <sys/types.h>

extern "C" {
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
#define CLOCKS_PER_SEC ((clock_t)1000000)
#define TIME_UTC 1
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
clock_t clock(void) noexcept;
double difftime(time_t, time_t) noexcept;
time_t mktime(struct tm *) noexcept;
time_t time(time_t *) noexcept;
char *asctime(const struct tm *) noexcept;
char *ctime(const time_t *) noexcept;
struct tm *gmtime(const time_t *) noexcept;
struct tm *gmtime_r(const time_t *, struct tm *) noexcept;
struct tm *localtime(const time_t *) noexcept;
struct tm *localtime_r(const time_t *, struct tm *) noexcept;
size_t strftime(char *, size_t, const char *, const struct tm *) noexcept;
size_t strftime_l(char *, size_t, const char *, const struct tm *, locale_t) noexcept;
int timespec_get(struct timespec *, int) noexcept;
int clock_gettime(clockid_t, struct timespec *) noexcept;
int nanosleep(const struct timespec *, struct timespec *);
}
#endif
