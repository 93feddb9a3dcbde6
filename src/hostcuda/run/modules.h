/* The records of modules and their functions, which api/modules.c creates. */
#ifndef HOSTCUDA_MODULES_H
#define HOSTCUDA_MODULES_H

#include "module_code.h"

typedef struct hd_module hd_module;
typedef struct hd_coverage hd_coverage;
typedef struct hd_preset hd_preset;

typedef struct {
    hd_object object;
    hd_module *module;          /* borrowed: owns it */
    const hd_code *code;        /* borrowed: the module's that has the kernel */
    const hc_kernel *kernel;    /* in that, or unloaded in the module's first */
    const hd_code *linear_code; /* the same of its linear layout, */
    const hc_kernel *linear;    /* which may be in another image; NULL: not loaded */
    bool spins; /* some state yields: it may wait for other blocks or the host */
    uint32_t dynamic_shared_max; /* set by function attribute */
    int carveout;
    hd_preset *preset;         /* owned; what api/old_launches.c remembers, or NULL */
    char before[HD_LINE];      /* the next two are written while others read the rest */
    _Atomic uint32_t block_ns; /* recent time of a block, see hd_work.piece_ns */
    _Atomic uint32_t turns; /* of HC_LOCKSTEP, by blocks of its last launch; 0: none */
    char behind[HD_LINE];
} hd_function;

struct hd_module {
    hd_object object;
    hd_code *code; /* owned: its image; behind that those of kernels loaded later */
    const hc_image *image;           /* the table of the first */
    hd_coverage *coverage;           /* borrowed: of the process; or NULL */
    hd_module *next_sampled;         /* in the list of samples.c */
    struct hd_reference *references; /* owned: those that were asked for */
    uint32_t nfunctions, nglobals;   /* that have handles; registered */
    hd_function functions[];
};

#endif
