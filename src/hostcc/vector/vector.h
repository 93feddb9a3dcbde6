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
    val scalar, lanes; /* NULL: not known in the current block */
    unsigned epoch;
} cc_known;

typedef struct {
    cc_unit *unit;
    const cc_kernel *kernel;
    const cc_cfg *cfg;
    const cc_shapes *shapes;
    unsigned width;
    bool linear;
    const cc_layout *layout;
    bool masked;   /* some lanes run from the start */
    bool suspends; /* the kernel has states: keep account of exited lanes */

    val function;
    builder b, entry; /* entry: where stack slots and what never changes are made */
    val launch, frame, index[3], x0, y, z, vector, entry_mask;
    val thread[3], block_dim[3], params, *argument; /* made at first need */
    val context, vectors, shared;

    val *home_scalar, *home_lanes; /* by value number */
    cc_known *known;               /* by value number, valid in this epoch */
    unsigned epoch;
    val *home_mask;  /* by node: lanes about to enter it */
    val home_state;  /* lanes' next states, when they part */
    val home_exited; /* lanes that have returned */
    block *full;     /* by node: its block in full code, or NULL */
    val mask;        /* lanes that run; NULL: all */
    val first_store; /* of those that wait to be done together; or NULL */
    unsigned walked; /* nodes walked under masks so far */
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
type cc_vector_type(cc_unit *);

static inline bool cc_same(const cc_vec *e, val v)
{
    return cc_uniform(cc_shape_of(e->shapes, v)); /* in all lanes */
}

/* -- values.c: where values live, and small builders -- */

type cc_flat(cc_vec *, type); /* pointers in address space 0 */
unsigned cc_parts(type);      /* of a structure or an array; 0: one value */
type cc_part(type, unsigned k);
type cc_wide(cc_vec *, type); /* the same in every lane; arrays become structures */
val cc_scalar(cc_vec *, val); /* of a uniform value; the base of an affine one */
val cc_lanes(cc_vec *, val);  /* any value, as a vector */
val cc_spread(cc_vec *, val base, int64_t stride); /* base + stride * lane */
val cc_splat(cc_vec *, val scalar);
val cc_lane_numbers(cc_vec *, type); /* <0, 1, 2, ...> */
val cc_blend(cc_vec *, val mask, val then, val otherwise);
void cc_define(cc_vec *, val, val scalar, val lanes);
bool cc_is_known(cc_vec *, val);   /* in this block */
bool cc_is_at_hand(cc_vec *, val); /* known, or in its home */
void cc_at_line_of(cc_vec *, val); /* what is built next */
val cc_frame_field(cc_vec *, builder, val base, size_t offset, type);
val cc_thread_index(cc_vec *, unsigned dim); /* lanes */
val cc_record(cc_vec *, size_t offset);      /* &frame->exchange[vector] + offset */
val cc_stack(cc_vec *, type, const char *name);
val cc_block_dim(cc_vec *, unsigned dim);
block cc_new_block(cc_vec *, const char *name);

val cc_phi_home(cc_vec *, val phi, bool lanes);
/* One call of an LLVM intrinsic; n types overload its name. */
val cc_intrinsic(cc_vec *, const char *name, const type *overload, unsigned n,
                 val *args, unsigned nargs);

/* -- masks.c: which lanes run -- */

type cc_mask_type(cc_vec *);
val cc_mask(cc_vec *);                /* lanes that run; never NULL */
val cc_mask_bits(cc_vec *, val mask); /* an integer of `width` bits */
val cc_bits32(cc_vec *, val mask);
val cc_lanes_of(cc_vec *, val bits32); /* a mask from the low bits */
val cc_nonzero(cc_vec *, val);
val cc_both(cc_vec *, val mask, val mask_or_poison);
val cc_any(cc_vec *, val mask);
val cc_first_lane(cc_vec *);
val cc_alive(cc_vec *); /* address of the vector's word in frame->alive */

/* Stack slots, and what is in them now. */
val cc_home_mask(cc_vec *, unsigned node); /* lanes about to enter it */
val cc_arrived(cc_vec *, unsigned node);
val cc_home_state(cc_vec *);  /* lanes' next states where they part */
val cc_home_exited(cc_vec *); /* lanes that have returned so far */
val cc_exited(cc_vec *);

void cc_store_lanes(cc_vec *, val value, val pointer, unsigned align); /* in a row */
val cc_load_lanes(cc_vec *, type, val pointer, unsigned align);

/* -- lane_loops.c: one lane after the other -- */

/* Builds the scalar form of i for one lane, with that lane's operands. */
typedef val cc_one_lane(cc_vec *, val i, val *operand, unsigned n, void *data);
void cc_each_lane(cc_vec *, val i, cc_one_lane *, void *data);
void cc_lane_by_lane(cc_vec *, val i); /* any instruction at all, as it is */

/* -- interleave.c, gather.c, access.c, atomics.c: memory -- */

/* Lanes that lie a few elements apart; false: it is not so. */
bool cc_load_interleaved(cc_vec *, val);
bool cc_store_interleaved(cc_vec *, val);
/* Lanes anywhere. */
val cc_gather(cc_vec *, type, val pointer, unsigned align);
void cc_scatter(cc_vec *, val, val pointer, unsigned align);
/* A stage: takes what are still instructions after optimization apart. */
void cc_take_gathers_apart(cc_unit *);
void cc_load(cc_vec *, val);
void cc_store(cc_vec *, val);
void cc_atomic(cc_vec *, val);

/* -- intrinsic_calls.c, warp_functions.c, runtime_calls.c, callees.c: calls -- */

bool cc_intrinsic_call(cc_vec *, val); /* false: it has no vector form */
void cc_call(cc_vec *, val);

/* The functions of pseudo.def: the result where that is the same in all lanes, or the
   lane's base; NULL: none, or it is defined already. */
typedef val cc_emitter(cc_vec *, val call);
#define CC_FUNCTION(id, name, arguments, uniformity, again, state, op, emit) \
    cc_emitter cc_emit_##emit;
#include "hostcc/ir/pseudo.def"
#undef CC_FUNCTION

/* -- instructions.c: straight-line code -- */

void cc_node_body(cc_vec *, unsigned node);
bool cc_has_effects(const cc_vec *, unsigned node);

/* -- control_flow.c: branches and loops -- */

void cc_emit_full(cc_vec *);
void cc_emit_masked(cc_vec *);

/* -- vectorize.c, selected_loads.c: a region -- */

/* Makes the full or the masked function of a region. */
val cc_vectorize(cc_unit *, const cc_kernel *, unsigned layout, unsigned state,
                 bool masked);

/* Loads from one of two addresses become branches where that is
   better. Before a region is vectorized. */
void cc_branch_to_loads(cc_unit *, val region, cc_shape_rules);

#endif
