/* Arithmetic of collective operations. */
#ifndef HOSTCUDA_REDUCE_H
#define HOSTCUDA_REDUCE_H

#include <stddef.h>

/* Bytes of an element of a ncclDataType_t; 0: it is none. */
size_t hd_nccl_size(unsigned type);
/* to[i] = the ncclRedOp_t of from[0][i], from[1][i], ... in that order, of `count`
   elements; `to` may be one of those. Sums and products of integers wrap around; those
   of 16 bits are float's, rounded once. Averages of integers are truncated. */
void hd_nccl_reduce_unlocked(unsigned type, unsigned operation, const void *const *from,
                             int ranks, size_t count, void *to);

#endif
