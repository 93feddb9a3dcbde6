/* Check mode: what checked kernels ask while they run. */
#ifndef HOSTCUDA_CHECKS_H
#define HOSTCUDA_CHECKS_H

#include "kernel_launch.h"
#include "workers.h"

/* Finds what the launch's parameters point into; before its blocks run. Takes the lock.
 */
void hd_checks_begin_unlocked(hd_launch *launch);
/* {x, y, z} of a lane (src/abi/frame.h says how vectors are cut). */
void hd_thread_of_lane(const hd_launch *launch, uint32_t vector, uint32_t lane,
                       uint32_t *thread);
/* The same of a thread's number in the block, of which 10 bits count. */
void hd_thread_of_number(const hd_launch *launch, uint32_t number, uint32_t *thread);
/* hc_services.check and check_thread. */
void hd_check_unlocked(hc_frame *frame, const hc_access *access, uint32_t vector,
                       uint32_t lanes, const uint64_t *where);
void hd_check_thread_unlocked(hc_frame *frame, const hc_access *access, uint32_t thread,
                              uint64_t where, uint64_t bytes);
/* A fault in work that is a checked kernel's: reports it. True: only the piece
   worker->ended is over. */
bool hd_check_caught_unlocked(hd_work *work, hd_worker *worker);
/* A kernel has freed what malloc did not return: reports it and ends the block, if the
   kernel is checked. */
void hd_check_bad_free_unlocked(hd_worker *worker, const void *address);
/* Ends the worker's block, after a report. */
void hd_check_end_block_unlocked(hd_worker *worker) __attribute__((noreturn));

#endif
