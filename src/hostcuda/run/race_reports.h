/* Race checks: the services of generated code, and reports. */
#ifndef HOSTCUDA_RACE_REPORTS_H
#define HOSTCUDA_RACE_REPORTS_H

#include "shared_races.h"

/* hc_services.race and so on. */
void hd_race_unlocked(hc_frame *, const hc_access *, const char *first, uint64_t what,
                      const uint64_t *values, int64_t stride);
void hd_race_each_unlocked(hc_frame *, const hc_access *, const char *const *address,
                           uint64_t what, const uint64_t *values);
void hd_race_sign_unlocked(hc_frame *, uint32_t thread);
void hd_race_meet_unlocked(hc_frame *, uint32_t thread, uint32_t lanes,
                           const uint32_t *masks);
/* hc_services.access, of races. */
void hd_race_of_thread_unlocked(hc_frame *, const hc_access *, const char *at,
                                uint64_t bytes, uint64_t what, uint64_t value);

hd_race_reporter hd_race_found_unlocked;

#endif
