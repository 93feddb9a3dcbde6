/* The time of day under its old name, for host code. */
#ifndef HOSTCC_SYS_TIMEB_H
#define HOSTCC_SYS_TIMEB_H
#include <time.h>
extern "C" {
struct timeb {
    time_t time;
    unsigned short millitm;
    short timezone, dstflag;
};
int ftime(struct timeb *) noexcept;
}
#endif
