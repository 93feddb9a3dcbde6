/* A thread of host code gives way. */
#ifndef HOSTCC_SCHED_H
#define HOSTCC_SCHED_H

extern "C" {
int sched_yield(void) noexcept;
}
#endif
