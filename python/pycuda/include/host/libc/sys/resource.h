/* What a process uses and may use, for host code. */
#ifndef HOSTCC_SYS_RESOURCE_H
#define HOSTCC_SYS_RESOURCE_H
#include <sys/time.h>
#include <sys/types.h>
extern "C" {
#define RUSAGE_SELF 0
#define RLIMIT_STACK 3
#define RLIMIT_NOFILE 7
#define RLIM_INFINITY (~0ul)
typedef unsigned long rlim_t;
struct rlimit {
    rlim_t rlim_cur, rlim_max;
};
struct rusage {
    struct timeval ru_utime, ru_stime;
    long ru_maxrss, ru_minflt, ru_majflt;
};
int getrusage(int, struct rusage *) noexcept;
int getrlimit(int, struct rlimit *) noexcept;
int setrlimit(int, const struct rlimit *) noexcept;
}
#endif
