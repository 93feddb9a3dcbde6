/* Threads of a block that run one at a time, each on a stack of its own: kernels for
   debuggers (hostcc's option -G). These are services of generated code; src/abi/frame.h
   says what they do. */
#ifndef HOSTCUDA_THREAD_STACKS_H
#define HOSTCUDA_THREAD_STACKS_H

#include "abi/image.h"

uint32_t hd_threads_pass_unlocked(const hc_launch *, hc_frame *, hc_entry *,
                                  hc_thread *);
uint32_t hd_threads_resume_unlocked(const hc_launch *, hc_frame *, uint32_t vector,
                                    uint32_t lanes, hc_entry *, hc_thread *);
uint64_t hd_threads_wait_unlocked(hc_frame *, uint32_t state, uint64_t value,
                                  uint32_t mask, uint32_t argument);
void hd_threads_turn_unlocked(hc_frame *, uint32_t state);

#endif
