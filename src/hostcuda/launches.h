/* Kernel launches, as work of a stream. */
#ifndef HOSTCUDA_LAUNCHES_H
#define HOSTCUDA_LAUNCHES_H

#include "abi/image.h"
#include "modules.h"
#include "queues.h"

typedef struct {
    hd_work work;
    hc_launch launch;
    hd_function *function; /* borrowed: unloading waits for the context's work */
    unsigned layout;       /* 0 rows, 1 linear */
    _Alignas(16) char params[];
} hd_launch;

/* blocks.c: runs blocks first..last-1 of a launch in this thread. */
hd_run hd_blocks_run;
/* How many blocks of the launch a thread runs at a time, in step. */
uint32_t hd_blocks_in_step(const hd_launch *launch);

#endif
