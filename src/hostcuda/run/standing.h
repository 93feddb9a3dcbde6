/* Where the threads of a block stand, in words. */
#ifndef HOSTCUDA_STANDING_H
#define HOSTCUDA_STANDING_H

#include "kernel_launch.h"

/* Writes "threads 0-15 wait at kernel.cu:9 (__syncthreads), threads 16-31 have ended".
   All living lanes are in that state; HC_MIXED: in those of frame->lane_state. */
void hd_standing_describe(const hd_launch *launch, const hc_frame *frame,
                          uint32_t state, char *text, size_t size);

/* A thread that waits, and in which state. */
typedef struct {
    uint32_t state, thread[3];
} hd_party;

/* The first threads that wait at the first two places. Returns how many there are. */
unsigned hd_standing_parties(const hd_launch *launch, const hc_frame *frame,
                             uint32_t state, hd_party *parties);

/* A number for where the living threads of the block stand, in the same way. `idle`:
   some of them spin, and nothing but memory can end that (HC_YIELD_IDLE). */
uint64_t hd_standing_number(const hd_launch *launch, const hc_frame *frame,
                            uint32_t vectors, uint32_t state, bool *idle);
/* Whether some thread of the block waits for all blocks at the barrier of the grid. */
bool hd_standing_at_grid(const hd_launch *launch, const hc_frame *frame,
                         uint32_t vectors, uint32_t state);

#endif
