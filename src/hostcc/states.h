/* -- points.c, states.c: from a scalar kernel to regions -- */
#ifndef HOSTCC_STATES_H
#define HOSTCC_STATES_H

#include "shape.h"

/* A suspension point: control goes from the end of `before` to `resume` alone. */
typedef struct {
    hc_state_kind kind;
    unsigned op; /* hc_warp_op of HC_WARP */
    block before, resume;
} cc_point;

typedef struct {
    unsigned n;
    cc_point *point; /* point[0] is the entry: its blocks are NULL */
    bool parted;     /* lanes of a vector may wait in different states */
} cc_points;

/* Finds the kernel's suspension points and splits its blocks there. */
cc_points cc_points_find(cc_unit *, val function, cc_shape_rules);

/* Ends a block after i; the rest keeps its identity. Returns the new first part. */
block cc_split_after(cc_unit *, val i);

/* clone.c: a function of what a block leads to. `exit`: what it returns where the
   original returns nothing; NULL: nothing. */
val cc_copy_from(cc_unit *, block, const char *name, val exit);

/* selected.c: loads from one of two addresses become branches where that is better. */
void cc_branch_to_loads(cc_unit *, val region, cc_shape_rules);

/* locals.c: gives the function's local arrays their place, in the vector's context if
   the kernel suspends. Returns the bytes of context used. */
unsigned cc_place_locals(cc_unit *, cc_kernel *, val function, bool suspends);
/* A loop over a grid of threads: its vectors are wider, they do little each time. */
bool cc_strides_over_threads(val function);

/* Cuts every kernel for each layout that it needs and fills kernel.layout: one scalar
   function a state, which runs from its state to the next suspension point and returns
   that state, 0 at the end. */
void cc_regions(cc_unit *);

/* Calls f(index, scale) for each index of an address; false as soon as it says so.
   Constant parts come as scale with a NULL index. */
typedef bool cc_each_part(void *data, val index, uint64_t scale);
bool cc_address_parts(cc_unit *, val gep, cc_each_part *, void *data);

/* joined.c: finds regions whose order over the vectors of a block makes their barrier
   needless. */
void cc_join_regions(cc_unit *, cc_layout *);
/* The state that every way through a region leads to, or HC_MIXED. */
uint32_t cc_only_result(val region);

/* counters.c: makes loop counters of values that are the same in all lanes. */
void cc_counters(cc_unit *);

/* Brings all functions into the form that cc_cfg_build needs. */
void cc_canonical(cc_unit *);

#endif
