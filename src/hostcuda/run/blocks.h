/* Blocks of a launch, run in one thread. */
#ifndef HOSTCUDA_BLOCKS_H
#define HOSTCUDA_BLOCKS_H

#include "kernel_launch.h"

/* Runs blocks first..last-1 of a launch in this thread. */
hd_run hd_blocks_run;
/* How many blocks of the launch a thread runs at a time, in step. */
uint32_t hd_blocks_in_step(const hd_launch *launch);
/* Whether some state of the kernel is of one of the kinds, a bit each. */
bool hd_kernel_has(const hc_kernel *kernel, unsigned layout, unsigned kinds);

#endif
