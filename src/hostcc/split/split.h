/* split/: from a scalar kernel to regions, which run from one suspension point to the
 * next. */
#ifndef HOSTCC_SPLIT_H
#define HOSTCC_SPLIT_H

#include "hostcc/ir/pseudo.h"
#include "hostcc/ir/uniformity.h"

/* A suspension point: control goes from the end of `before` to `resume` alone. */
typedef struct {
    hc_state_kind kind;
    unsigned op; /* hc_warp_op of HC_WARP */
    cc_place place;
    cc_block before, resume;
    cc_block
        question; /* that leads to `before` or goes on; NULL: all ways lead there */
    bool waited;  /* only threads that had to wait for others come there */
} cc_suspension_point;

typedef struct {
    unsigned n;
    cc_suspension_point *point; /* point[0] is the entry: its blocks are NULL */
    bool diverged;              /* lanes of a vector may wait in different states */
} cc_suspension_points;

/* Finds the kernel's suspension points and splits its blocks there. */
cc_suspension_points cc_suspension_points_find(cc_unit *, cc_value function,
                                               cc_uniformity_rules);

/* A function of what a point leads to, up to the next points: edges are cut. */
cc_value cc_copy_region(cc_unit *, const cc_suspension_points *, cc_value function,
                        unsigned point);

/* unchanged_values.c: a region does not save what it has read back as it is. */
void cc_leave_unchanged_values(cc_value region);

/* What a shuffle is asked: source | width << 16. */
cc_value cc_shuffle_argument(cc_unit *, cc_builder, cc_value call);

/* pure_values.c */
bool cc_is_pure(cc_value i);

/* joined_conditions.c: makes one condition of two that follow each other. */
void cc_join_conditions(cc_unit *, cc_value function, cc_uniformity_rules);

/* local_arrays.c: gives the function's local arrays their place, in the vector's
   context if the kernel suspends. Returns the bytes of context used. */
unsigned cc_place_local_arrays(cc_unit *, cc_kernel *, cc_value function,
                               bool suspends);
/* loop_kinds.c: whether its end depends on other threads; whether its counter strides
   over threads or blocks. */
enum { CC_THREADS = 1, CC_BLOCKS = 2 };
bool cc_loop_waits(const cc_cfg *, int loop);
/* Tells race checks of volatile accesses in such loops. */
void cc_mark_signs(cc_unit *, cc_value function);
/* The access, fence or pause by which such a loop waits. */
cc_value cc_loop_waits_at(const cc_cfg *, int loop);
unsigned cc_loop_strides(const cc_cfg *, int loop);
/* Whether a turn of it may take as long as its memory does. */
bool cc_is_held_up_by_memory(const cc_cfg *, int loop);
bool cc_has_barrier(const cc_cfg *, unsigned node);
/* idle_loops.c: HC_YIELD_... of a loop that waits. */
unsigned cc_loop_idles(const cc_cfg *, int loop);
/* A loop over a grid of threads: its vectors are wider, they do little each time. */
bool cc_strides_over_threads(cc_value function);

/* Cuts every kernel for each layout that it needs and fills kernel.layout: one scalar
   function a state, which runs from its state to the next suspension point and returns
   that state, 0 at the end. */
void cc_regions(cc_unit *);

/* threads.c: threads that run one at a time: where they wait. Fills the states of each
   kernel's layouts. */
void cc_lower_threads(cc_unit *);

/* barrier_fusion.c: finds regions whose order over the vectors of a block makes their
   barrier needless. */
void cc_fuse_barriers(cc_unit *, cc_layout *);
/* Whether that is shared memory at start + step * threadIdx.x, both constants. */
bool cc_is_at_line(cc_unit *, cc_value pointer);
/* Whether it reads threadIdx.y or z. */
bool cc_reads_rows(cc_value region);
/* The state that every way through a region leads to, or HC_MIXED. */
uint32_t cc_only_result(cc_value region);
/* Whether a way through it perhaps leads to that state. */
bool cc_may_return(cc_value region, unsigned state);
/* The same of all slots of a region, whose vectors run all of the kernel in one pass.
 */
void cc_keep_slots_in_registers(cc_unit *, cc_value region);
/* Allocates the values that live across the barrier inside a pass: part of optimize. */
void cc_place_fused(cc_unit *);

#endif
