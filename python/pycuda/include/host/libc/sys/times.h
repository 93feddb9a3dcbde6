/* Times that a process took, for host code. */
#ifndef HOSTCC_SYS_TIMES_H
#define HOSTCC_SYS_TIMES_H
#include <time.h>
extern "C" {
struct tms {
    clock_t tms_utime, tms_stime, tms_cutime, tms_cstime;
};
clock_t times(struct tms *) noexcept;
}
#endif
