/* The frames of the blocks that a worker runs. */
#ifndef HOSTCUDA_FRAMES_H
#define HOSTCUDA_FRAMES_H

#include "kernel_launch.h"
#include "workers.h"

/* At most so many blocks of the launch at a time in a thread, in step. Many of them,
   since the longer the stretches of memory that they read in one step, the better the
   processor fetches ahead. */
#define HD_STEP_BLOCKS 256

uint32_t hd_blocks_in_step(const hd_launch *launch);
/* Whether the image has code of the layout. */
bool hd_kernel_has_layout(const hc_kernel *kernel, unsigned layout);
/* Whether some state of the kernel is of one of the kinds, a bit each. */
bool hd_kernel_has(const hc_kernel *kernel, unsigned layout, unsigned kinds);
/* Lays the worker's frames out for blocks of this launch. Ends the piece where memory
   is short. */
void hd_frames_prepare_unlocked(hd_worker *worker, const hd_launch *launch);

#endif
