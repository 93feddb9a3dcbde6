/* Check mode: what an address lies in, where the compiler could not tell. */
#ifndef HOSTCUDA_CHECK_TARGETS_H
#define HOSTCUDA_CHECK_TARGETS_H

#include "kernel_launch.h"
#include "workers.h"

typedef struct {
    uint64_t base, size; /* of the allocation or variable; size 0: there is none */
    cuxSpace space;
    cuxState state;
    uint64_t allocation;
} hd_target;

/* Takes the lock. Memory that kernels may not touch is no place. */
hd_target hd_target_of_unlocked(const hd_worker *worker, uint64_t address);

#endif
