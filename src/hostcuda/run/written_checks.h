/* Check mode: reads of what nobody has written. */
#ifndef HOSTCUDA_WRITTEN_CHECKS_H
#define HOSTCUDA_WRITTEN_CHECKS_H

#include "kernel_launch.h"
#include "workers.h"

/* hc_services.need_written and set_written. */
void hd_need_written_unlocked(hc_frame *, const hc_access *, uint32_t vector,
                              uint32_t lanes, const uint64_t *where);
void hd_set_written_unlocked(hc_frame *, const hc_access *, uint32_t vector,
                             uint32_t lanes, const uint64_t *where);
/* hc_services.access, of init: HC_ASK_... */
void hd_written_of_thread_unlocked(hc_frame *, const hc_access *, const char *at,
                                   uint64_t bytes, uint64_t what, uint64_t value);
/* A launch that keeps no marks may write all that its parameters point into. */
void hd_written_by_launch(const hd_launch *);

#endif
