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

typedef enum {
    HD_OBJECT_LIVE,
    HD_OBJECT_OTHER,  /* no texture, or no surface */
    HD_OBJECT_MEMORY, /* one of memory that has been freed */
} hd_object_state;

/* What the kernel takes for a texture or a surface; `memory`: what it is of, if it is
   one. Takes the lock. */
hd_object_state hd_texture_state_unlocked(const hd_worker *worker, uint64_t address,
                                          bool is_surface, uint64_t *memory);

#endif
