/* Blocks of a launch, run in one thread. */
#ifndef HOSTCUDA_BLOCKS_H
#define HOSTCUDA_BLOCKS_H

#include "kernel_launch.h"

/* Runs blocks first..last-1 of a launch in this thread. */
hd_run hd_blocks_run;

#endif
