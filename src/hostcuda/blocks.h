/* One block of a kernel with suspension points; and warp functions, which are its
 * hardest part. */
#ifndef HOSTCUDA_BLOCKS_H
#define HOSTCUDA_BLOCKS_H

#include "launches.h"

/* warps.c: does `op` for the lanes, all of which wait in it with the same mask. */
void hd_warp_operate(hc_exchange *exchange, uint32_t op, uint32_t lanes);
/* The function that waits there, as the source spells it. */
const char *hd_warp_name(uint32_t op);

#define HD_LANES_IN(mask, lane)                                                   \
    for (uint32_t lane##_left = (mask), lane;                                     \
         lane##_left != 0 && (lane = (uint32_t)__builtin_ctz(lane##_left), true); \
         lane##_left &= lane##_left - 1)

#endif
