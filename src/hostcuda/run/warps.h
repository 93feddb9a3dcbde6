/* Warp functions among lanes that have met. */
#ifndef HOSTCUDA_WARPS_H
#define HOSTCUDA_WARPS_H

#include <stdbool.h>

#include "abi/image.h"

/* Performs `op` for the lanes, all of which have reached it with the same mask. */
void hd_warp_operate(hc_exchange *exchange, uint32_t op, uint32_t lanes);
/* The lanes that gave the mask of the first of them. */
uint32_t hd_warp_alike(const hc_exchange *exchange, uint32_t lanes);
/* Whose value the lane gets by a shuffle. `inside`: that lane is in its segment; else
   it gets its own. False for other functions. */
uint32_t hd_warp_source(uint32_t op, const hc_exchange *exchange, uint32_t lane,
                        bool *inside);
/* The function's name in CUDA C++. */
const char *hd_warp_name(uint32_t op);

#define HD_LANES_IN(mask, lane)                                                   \
    for (uint32_t lane##_left = (mask), lane;                                     \
         lane##_left != 0 && (lane = (uint32_t)__builtin_ctz(lane##_left), true); \
         lane##_left &= lane##_left - 1)

#endif
