/* A launch of a kernel, as work of a stream. */
#ifndef HOSTCUDA_KERNEL_LAUNCH_H
#define HOSTCUDA_KERNEL_LAUNCH_H

#include "global_races.h"
#include "modules.h"
#include "work.h"

typedef struct {
    hd_work work;
    hc_launch launch;
    hd_function *function;   /* borrowed: unloading waits for the context's work */
    unsigned layout;         /* 0 rows, 1 linear */
    const hc_kernel *kernel; /* the function's of that layout */
    const hd_code *code;     /* that has it */
    bool cooperative;
    bool shuffled; /* its blocks, and their vectors, run in the order of `seed` */
    uint64_t seed;
    _Atomic uint32_t ended;     /* blocks of a cooperative launch */
    uint32_t arrived;           /* blocks at the barrier of the grid, see hc_launch */
    _Atomic bool bounded;       /* the bounds of a checked launch have been found */
    hd_raced_launch raced;      /* found with them */
    _Alignas(16) char params[]; /* and the bounds behind them, and hc_launch.raced */
} hd_launch;

/* How many bounds a launch of the kernel has: one for each eight bytes of parameters.
 */
#define HD_BOUNDS(kernel) ((kernel)->checks ? (kernel)->param_bytes / 8 : 0)

static inline hc_bounds *hd_launch_bounds(hd_launch *launch)
{
    size_t bytes = (launch->kernel->param_bytes + 15) & ~(size_t)15;
    return (hc_bounds *)(launch->params + bytes);
}

static inline uint8_t *hd_launch_raced(hd_launch *launch)
{
    return (uint8_t *)(hd_launch_bounds(launch) + HD_BOUNDS(launch->kernel));
}

/* The parameters of a launch. */
typedef struct {
    unsigned grid[3], block[3], shared;
    bool cooperative; /* blocks wait for each other, so all must be resident */
    void **params, **extra;
} hd_geometry;

/* Blocks of that size that one multiprocessor holds at once, and the shared memory that
   each takes there. */
int hd_function_occupancy(const hd_function *function, int threads, size_t dynamic);
size_t hd_function_shared(const hd_function *function, size_t dynamic);
/* Whether vectors cut from rows would not be the warps of such a block. */
bool hd_needs_linear(const hc_kernel *kernel, const unsigned *block);
/* Fails unless the device has blocks of that size. */
CUresult hd_block_check(const hc_kernel *kernel, const unsigned *block);
/* Bytes of the kernel's parameters, one behind the other at their offsets. */
size_t hd_kernel_packed_bytes(const hc_kernel *kernel);
/* Checked and packed work for a kernel. */
CUresult hd_launch_create(hd_function *function, const hd_geometry *geometry,
                          hd_launch **launch);

/* Makes a copied launch point at its own parameters. */
void hd_launch_rebase(hd_launch *launch);

#endif
