/* vector/: from a scalar region to vector code.

   A region is a scalar function: what one thread does from one suspension point to the
   next. It becomes two functions that do the same for all lanes of a vector: `full`,
   where every lane runs and branches are branches, and `masked`, where some lanes run
   from the start.

   Each scalar value has homes, stack slots that LLVM turns back into registers: one for
   the scalar or base of a uniform or affine value, one for the lanes of others. Full
   and masked code read and write the same homes, so they can hand over to each other
   anywhere. */
#ifndef HOSTCC_VECTOR_H
#define HOSTCC_VECTOR_H

#include "hostcc/ir/pseudo.h"
#include "hostcc/ir/uniformity.h"

typedef struct {
    cc_value scalar, lanes; /* NULL: not known in the current block */
    unsigned epoch;
} cc_known;

typedef struct {
    uint64_t counter;
    unsigned part;
    cc_value variable;
} cc_count;

typedef struct {
    cc_unit *unit;
    const cc_kernel *kernel;
    const cc_cfg *cfg;
    const cc_uniformity_info *uniformity;
    unsigned width;
    bool linear;
    const cc_layout *layout;
    bool masked;   /* some lanes run from the start */
    bool suspends; /* the kernel has states: keep account of exited lanes */

    cc_value function;
    cc_builder b, entry; /* entry: for stack slots and invariants */
    cc_value launch, frame, index[3], x0, y, z, vector, entry_mask;
    cc_value thread[3], block_dim[3], params, *argument; /* made at first need */
    cc_value context, vectors, shared;

    cc_value *home_scalar, *home_lanes; /* by value number */
    cc_known *known;                    /* by value number, valid in this epoch */
    const bool *asked;                  /* by value number: of cc_ask_one_lane */
    unsigned epoch;
    cc_value *home_mask;  /* by node: lanes about to enter it */
    cc_value home_state;  /* lanes' next states, when they diverge */
    cc_value home_exited; /* lanes that have returned */
    cc_block *full;       /* by node: its block in full code, or NULL */
    cc_block *again;      /* by loop that masked code goes around together: its start */
    const unsigned *few;  /* by loop: that many lanes or less run one after the other */
    const bool *alone;    /* by node: lanes run it one after the other */
    cc_block *tail;     /* by node: where lanes that diverged for good go on; or NULL */
    unsigned tail_stop; /* where that code ends; 0: nowhere yet */
    cc_value mask;      /* lanes that run in the node that is written; NULL: all.
                           cc_node_body alone sets it */
    cc_value answer;    /* stack slot of what a function of vectors returns; or NULL */
    cc_value first_store; /* of the delayed stores (interleave.c), or NULL */
    cc_value where;       /* of lanes that are asked about (check_code.c); or NULL */
    cc_value counters;    /* of coverage, in memory; NULL: not used */
    cc_count *counts;     /* what loops count (count_code.c) */
    unsigned ncounts;
    size_t walked, most_walked; /* instructions that full code walked under masks, and
                                   after which each branch's are walked once */
    unsigned apart; /* atomic operations written for each lane so far (atomics.c) */
    enum { CC_STREAMS_UNKNOWN, CC_STREAMS, CC_STREAMS_NOTHING } streams;
} cc_vec;

/* Parameters of a vector function, in this order. */
enum {
    CC_LAUNCH,
    CC_FRAME,
    CC_BX,
    CC_BY,
    CC_BZ,
    CC_X0,
    CC_Y,
    CC_Z,
    CC_VECTOR,
    CC_MASK,
    CC_NPARAMS
};
cc_type cc_vector_type(cc_unit *);

static inline bool cc_same(const cc_vec *e, cc_value v)
{
    return cc_uniform(cc_uniformity_of(e->uniformity, v)); /* in all lanes */
}

/* -- values.c: where values live, and small builders -- */

cc_type cc_flat(cc_vec *, cc_type); /* pointers in address space 0 */
unsigned cc_members(cc_type);       /* of a structure or an array; 0: one value */
cc_type cc_member(cc_type, unsigned k);
cc_type cc_wide(cc_vec *,
                cc_type); /* the same in every lane; arrays become structures */
cc_value cc_scalar(cc_vec *,
                   cc_value); /* of a uniform value; the base of an affine one */
cc_value cc_lanes(cc_vec *, cc_value); /* any value, as a vector */
cc_value cc_spread(cc_vec *, cc_value base, int64_t stride); /* base + stride * lane */
cc_value cc_splat(cc_vec *, cc_value scalar);
cc_value cc_lane_numbers(cc_vec *, cc_type); /* <0, 1, 2, ...> */
cc_value cc_blend(cc_vec *, cc_value mask, cc_value then, cc_value otherwise);
/* n lanes, each by its number in a followed by b; CC_NOWHERE: whatever. */
#define CC_NOWHERE (~0u)
cc_value cc_permute(cc_vec *, cc_value a, cc_value b, const unsigned *from, unsigned n);
/* n vectors, a power of two, one after the other in one. */
cc_value cc_concatenate(cc_vec *, const cc_value *part, unsigned n);
void cc_define(cc_vec *, cc_value, cc_value scalar, cc_value lanes);
bool cc_is_known(cc_vec *, cc_value);   /* in this block */
bool cc_is_at_hand(cc_vec *, cc_value); /* known, or in its home */
void cc_at_line_of(cc_vec *, cc_value); /* of instructions built from here on */
cc_value cc_frame_field(cc_vec *, cc_builder, cc_value base, size_t offset, cc_type);
cc_value cc_thread_index(cc_vec *, unsigned dim); /* lanes */
cc_value cc_record(cc_vec *, size_t offset); /* &frame->exchange[vector] + offset */
cc_value cc_stack(cc_vec *, cc_type, const char *name);
cc_value cc_block_dim(cc_vec *, unsigned dim);
cc_block cc_new_block(cc_vec *, const char *name);

cc_value cc_phi_home(cc_vec *, cc_value phi, bool lanes);
/* One call of an LLVM intrinsic; n types overload its name. */
cc_value cc_intrinsic(cc_vec *, const char *name, const cc_type *overload, unsigned n,
                      cc_value *args, unsigned nargs);

/* -- masks.c: which lanes run -- */

cc_type cc_mask_type(cc_vec *);
cc_value cc_all_lanes(cc_vec *);
cc_value cc_mask(cc_vec *);                     /* lanes that run; never NULL */
cc_value cc_mask_bits(cc_vec *, cc_value mask); /* an integer of `width` bits */
cc_value cc_bits32(cc_vec *, cc_value mask);
cc_value cc_lanes_of(cc_vec *, cc_value bits32); /* a mask from the low bits */
cc_value cc_nonzero(cc_vec *, cc_value);
cc_value cc_both(cc_vec *, cc_value mask, cc_value mask_or_poison);
cc_value cc_any(cc_vec *, cc_value mask);
cc_value cc_first_lane(cc_vec *);
cc_value cc_alive(cc_vec *); /* address of the vector's word in frame->alive */

/* Stack slots, and their present values. */
cc_value cc_home_mask(cc_vec *, unsigned node); /* lanes about to enter it */
cc_value cc_arrived(cc_vec *, unsigned node);
cc_value cc_home_state(cc_vec *);  /* lanes' next states where they diverge */
cc_value cc_home_exited(cc_vec *); /* lanes that have returned so far */
cc_value cc_exited(cc_vec *);

/* Elements in a row in memory, those of `mask`; NULL: all. */
cc_value cc_store_lanes(cc_vec *, cc_value value, cc_value pointer, unsigned align,
                        cc_value mask);
cc_value cc_load_lanes(cc_vec *, cc_type, cc_value pointer, unsigned align,
                       cc_value mask);

/* -- masked_access.c: where no instruction does that well -- */

/* To memory that no other thread of the machine sees: the thread's own, the block's. */
void cc_store_own_lanes(cc_vec *, cc_value value, cc_value pointer, unsigned align,
                        cc_value mask);
void cc_store_shared_lanes(cc_vec *, cc_value value, cc_value pointer, unsigned align,
                           cc_value mask);
/* A stage: masked accesses left by then become whole ones where that is allowed. */
void cc_whole_accesses(cc_unit *);

/* -- lane_order.c: comparisons of all lanes -- */

/* Whether a condition is `a && b`, or `a || b`, and its parts; a may decide alone. */
bool cc_is_joined(cc_value condition, bool by_and, cc_value part[2]);

/* Whether the lanes where it holds are neighbours, but for where numbers wrap. */
bool cc_holds_in_a_row(cc_vec *, cc_value condition);

/* Whether a condition has that value in all lanes, found from lane 0; NULL: it cannot
   be found so. False also where numbers wrap around from one lane to another. */
cc_value cc_ask_one_lane(cc_vec *, cc_value condition, bool value);
/* By value number: what it has to know of the conditions of branches and hc.every. */
const bool *cc_values_to_ask(const cc_vec *);

/* -- lane_loops.c: one lane after the other -- */

/* A value of each lane, in memory. Structures have one of each member. */
typedef struct cc_lane_array {
    cc_type t; /* NULL: there is none */
    unsigned nfields;
    bool is_vector; /* `array` is one: a register later */
    cc_value array;
    struct cc_lane_array *fields;
} cc_lane_array;
cc_lane_array cc_lane_array_new(cc_vec *, cc_type);
/* The same for what is set behind stores of other lanes: in registers, if in few. */
cc_lane_array cc_lane_vector_new(cc_vec *, cc_type);
void cc_lane_array_store_all(cc_vec *, const cc_lane_array *, cc_value lanes);
cc_value cc_lane_array_load_all(cc_vec *, const cc_lane_array *);
cc_value cc_lane_array_get(cc_vec *, const cc_lane_array *, cc_value lane);
void cc_lane_array_set(cc_vec *, const cc_lane_array *, cc_value lane, cc_value);

/* What is built between is done for each lane that runs, of which there must be one. */
typedef struct {
    cc_block head, done;
    cc_value bits;    /* stack slot: lanes still to do */
    cc_value lane;    /* i64 */
    cc_block in_run;  /* of runs: the loop over one; else NULL */
    cc_value at, end; /* of one: stack slot, i64 */
} cc_lane_loop;
cc_lane_loop cc_lane_loop_begin(cc_vec *);
cc_lane_loop cc_lane_runs_begin(cc_vec *);
void cc_lane_loop_end(cc_vec *, cc_lane_loop);

/* Builds the scalar form of i for one lane, with that lane's operands. */
typedef cc_value cc_one_lane(cc_vec *, cc_value i, cc_value *operand, unsigned n,
                             void *data);
void cc_each_lane(cc_vec *, cc_value i, cc_one_lane *, void *data);
void cc_lane_by_lane(cc_vec *, cc_value i); /* any instruction at all, as it is */

/* -- lane_scalars.c: one lane after the other, without a loop -- */

/* An operand of i, in a lane whose turn it is. */
cc_value cc_lane_scalar(cc_vec *, cc_value i, cc_value operand, unsigned lane);

/* -- interleave.c, gather.c, gather_time.c, access.c, atomics.c: memory -- */

/* Lanes a few elements apart; false: they are not. */
bool cc_load_interleaved(cc_vec *, cc_value);
bool cc_store_interleaved(cc_vec *, cc_value);
bool cc_may_write(cc_value i); /* memory that other code sees */
/* Elements in a row of each lane; false: they are not. */
bool cc_load_rows(cc_vec *, cc_value);
/* The address of each lane, in full code. */
void cc_lane_addresses(cc_vec *, cc_value pointer, cc_value address[HC_LANES]);
/* Lanes anywhere; loads from that many bytes behind the pointer. */
cc_value cc_gather(cc_vec *, cc_type, cc_value pointer, int64_t from, unsigned align);
/* Three bytes of each lane as the lower ones of a word, by the words at multiples of 4
   that the first and the last one are in. */
cc_value cc_gather_three(cc_vec *, cc_value pointer, int64_t from);
void cc_scatter(cc_vec *, cc_value, cc_value pointer, unsigned align);
/* A stage: takes the gathers and scatters left after optimization apart. */
void cc_take_gathers_apart(cc_unit *);
bool cc_gathers_are_fast(const cc_unit *); /* where the code will run */
void cc_load(cc_vec *, cc_value);
void cc_store(cc_vec *, cc_value);
bool cc_copy_row(cc_vec *, cc_value call); /* false: it is not one of a row */
void cc_atomic(cc_vec *, cc_value);

/* -- streamed_stores.c: stores past the caches -- */

/* Stores a vector past the caches where it is aligned and the launch writes more than
   they hold. What is built up to the end stores it otherwise. NULL: it always does. */
cc_block cc_stream_begin(cc_vec *, cc_value store, unsigned size);
void cc_stream_end(cc_vec *, cc_block);
unsigned cc_streamed_bytes(cc_unit *, cc_value function); /* as in hc_kernel */

/* -- calls: intrinsic_calls.c, vector_calls.c, warp_functions.c, runtime_calls.c,
   check_code.c, callees.c -- */

bool cc_vector_call(cc_vec *, cc_value); /* false: it is of one lane */

bool cc_intrinsic_call(cc_vec *, cc_value); /* false: it has no vector form */
/* Where the loop around `inside` that strides over the grid lets others catch up; NULL:
   it does not stride. How many iterations a vector does in a turn. */
cc_value cc_step_over_grid(const cc_vec *, cc_value inside);
unsigned cc_iterations_ahead(const cc_vec *, cc_value step);
/* How many iterations each thread has in the loop around `inside`, if any thread of the
   grid might run any of them; else NULL. */
cc_value cc_turns_over_grid(const cc_vec *, cc_value inside);
void cc_call(cc_vec *, cc_value);

/* The functions of pseudo.def: the result where that is the same in all lanes, or the
   lane's base; NULL: none, or it is defined already. */
typedef cc_value cc_emitter(cc_vec *, cc_value call);
#define CC_FUNCTION(id, name, arguments, uniformity, again, state, op, emit) \
    cc_emitter cc_emit_##emit;
#include "hostcc/ir/pseudo.def"
#undef CC_FUNCTION

/* -- count_code.c: coverage -- */

/* Notes how far lanes are apart in an access through p of `size` bytes. */
void cc_count_access(cc_vec *, cc_value i, cc_value p, unsigned size);
/* What loops have counted, when a function is written: in front of its ends. */
void cc_write_counts(cc_vec *);

/* -- instructions.c: straight-line code -- */

/* All of a node but its phis and its end, in the lanes of `mask`; NULL: all. */
void cc_node_body(cc_vec *, unsigned node, cc_value mask);
bool cc_has_effects(const cc_vec *, unsigned node);

/* -- short_branches.c: what lies between a branch and where its ways meet -- */

/* Masked code branches there as scalar code does. */
bool cc_branches_together(const cc_vec *, unsigned node);
bool cc_loops_together(const cc_vec *, int loop);
/* Lanes are better taken through it all than asked which way they go. */
bool cc_is_light(const cc_vec *, unsigned node);

/* -- loop_cost.c, scalar_loops.c: what lanes run one after the other -- */

/* Up to how many lanes take less time one after the other, as scalar code, than as a
   vector; all lanes: the width. */
unsigned cc_lanes_cheaper_alone(const cc_vec *, int loop);
/* Whether all but the fewest of its lanes do at a node. */
bool cc_is_cheaper_alone(const cc_vec *, unsigned node);
/* The same of each loop; 0: or they may not. And of each node. */
const unsigned *cc_choose_scalar_loops(const cc_vec *);
const bool *cc_choose_scalar_nodes(const cc_vec *);
/* Runs a loop so for the lanes that have arrived at its header, one at least. They have
   arrived at its exits then, except at `stop`, where the caller knows who comes. */
void cc_scalar_loop(cc_vec *, int loop, unsigned stop);
void cc_scalar_node(cc_vec *, unsigned node, unsigned stop);

/* -- control_flow.c: branches and loops -- */

void cc_emit_full(cc_vec *);
void cc_emit_masked(cc_vec *);

/* -- vectorize.c, mixed_conditions.c, selected_loads.c: a region -- */

/* Makes the full or the masked function of a region. */
cc_value cc_vectorize(cc_unit *, const cc_kernel *, unsigned layout, unsigned state,
                      bool masked, cc_uniformity_rules);
/* A stage: writes the functions of vectors that are called. */
void cc_vector_functions(cc_unit *);
/* Whether the lanes of full code all reach the same end, whichever way they go. */
bool cc_ends_together(cc_value full);

/* Before a region is vectorized: the uniform part of a varying condition becomes a
   branch in front of it; loads from one of two addresses become branches where that is
   better. */
void cc_ask_uniform_part_first(cc_unit *, cc_value region, cc_uniformity_rules);
void cc_branch_to_loads(cc_unit *, cc_value region, cc_uniformity_rules);

#endif
