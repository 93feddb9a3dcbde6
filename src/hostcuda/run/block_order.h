/* Blocks and vectors in another order than that of their numbers (check mode, order).
 */
#ifndef HOSTCUDA_BLOCK_ORDER_H
#define HOSTCUDA_BLOCK_ORDER_H

#include <stdint.h>

/* The number that comes at place `place` of `count` in the order of that seed. */
uint64_t hd_order_at(uint64_t seed, uint64_t place, uint64_t count);

#endif
