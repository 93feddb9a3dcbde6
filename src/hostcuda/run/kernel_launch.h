/* Kernel launches, as work of a stream. */
#ifndef HOSTCUDA_KERNEL_LAUNCH_H
#define HOSTCUDA_KERNEL_LAUNCH_H

#include "abi/image.h"
#include "modules.h"
#include "queues.h"

typedef struct {
    hd_work work;
    hc_launch launch;
    hd_function *function; /* borrowed: unloading waits for the context's work */
    unsigned layout;       /* 0 rows, 1 linear */
    bool cooperative;
    uint32_t arrived; /* blocks at the barrier of the grid, see hc_launch */
    _Alignas(16) char params[];
} hd_launch;

/* What a launch asks for. */
typedef struct {
    unsigned grid[3], block[3], shared;
    bool cooperative; /* blocks wait for each other: all are to run at once */
    void **params, **extra;
} hd_geometry;

/* Checked and packed work for a kernel. */
CUresult hd_launch_create(hd_function *function, const hd_geometry *geometry,
                          hd_launch **launch);

/* After a launch was copied: points at what is its own. */
void hd_launch_rebase(hd_launch *launch);

/* blocks.c: runs blocks first..last-1 of a launch in this thread. */
hd_run hd_blocks_run;
/* How many blocks of the launch a thread runs at a time, in step. */
uint32_t hd_blocks_in_step(const hd_launch *launch);

/* warps.c: does `op` for the lanes, all of which wait in it with the same mask. */
void hd_warp_operate(hc_exchange *exchange, uint32_t op, uint32_t lanes);
/* The function that waits there, as the source spells it. */
const char *hd_warp_name(uint32_t op);

#define HD_LANES_IN(mask, lane)                                                   \
    for (uint32_t lane##_left = (mask), lane;                                     \
         lane##_left != 0 && (lane = (uint32_t)__builtin_ctz(lane##_left), true); \
         lane##_left &= lane##_left - 1)

/* services.c: what running kernels may ask of us. */
extern const hc_services hd_services;

#endif
