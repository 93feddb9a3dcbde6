/* Which pieces of its work a thread runs next. */
#ifndef HOSTCUDA_RANGES_H
#define HOSTCUDA_RANGES_H

#include "work.h"

/* A range of pieces takes at least this long, so that sharing out costs little. */
#define HD_RANGE_NANOSECONDS 5000

/* Cuts the pieces that are left of work that is about to be published into a share for
   each thread, where that is worth while; and gives the shares back. */
void hd_ranges_share_out(hd_work *work);
void hd_ranges_end_shares(hd_work *work);

/* Of all work that is shared out a thread takes first what lies in its own share: the
   one of before where nobody else holds it. */
void hd_ranges_hold_share(unsigned *own);
void hd_ranges_free_share(unsigned own);

/* Takes the next range of pieces for this thread; false: there is none. Of work in
   which a thread is `alone` nobody else knows. */
bool hd_ranges_take_unlocked(hd_work *work, bool alone, unsigned own, uint64_t *first,
                             uint64_t *last);

#endif
