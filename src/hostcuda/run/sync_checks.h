/* Check mode, sync: how blocks end that cannot go on, and warp functions that are
   called as they must not be. */
#ifndef HOSTCUDA_SYNC_CHECKS_H
#define HOSTCUDA_SYNC_CHECKS_H

#include "kernel_launch.h"
#include "workers.h"

/* The worker's block cannot go on, as `why` says. The launch fails with that status; if
   its kernel is checked, there is a report and the block alone ends. All living lanes
   are in the state; HC_MIXED: in those of frame->lane_state. */
void hd_sync_end_unlocked(hd_worker *worker, uint32_t state, cuxFault fault,
                          CUresult status, const char *why) __attribute__((noreturn));
/* Lanes of a vector perform the warp function of a state together: reports those that
   do not name themselves, and those that get the value of one that takes no part. */
void hd_sync_check_group_unlocked(hd_worker *worker, uint32_t vector,
                                  const hc_state *state, uint32_t lanes);
/* Lanes are at one call of a warp function with several masks: reports one whose mask
   names a lane that gave another. */
void hd_sync_check_masks_unlocked(hd_worker *worker, uint32_t vector,
                                  const hc_state *state, uint32_t lanes);

#endif
