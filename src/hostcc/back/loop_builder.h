/* What block_loops.c and vector_loops.c are made with: the function that is written,
   its slots, and loops that count. */
#ifndef HOSTCC_LOOP_BUILDER_H
#define HOSTCC_LOOP_BUILDER_H

#include "hostcc/back/back.h"

#include <stddef.h>

typedef struct {
    cc_unit *unit;
    cc_builder b, entry;
    cc_value function, launch, frame;
    unsigned width;
    cc_value full, masked, region; /* region: the scalar form of full */
    bool linear;
    cc_value next;                   /* full code that runs after it; or NULL */
    cc_value block_dim[3], index[3]; /* i32 */
    cc_value vector;                 /* slot: number of the next vector */
    const cc_row_guard *guard; /* full code is for vectors in front of its end; NULL */
    const cc_row_sides *sides, *sides_of_next; /* full code, and next; or NULL */
    const cc_row_interior *interior;           /* of full; or NULL */
    cc_value inside[2];                        /* of the row at hand (row_interior.c) */
    bool whole;                                /* no row ends in a short vector */
    bool down;        /* vectors of a row from the last to the first */
    bool columns;     /* in the order of those above one another */
    bool unrolled;    /* several vectors of a row at a time */
    bool once;        /* of this part of a row there is one vector at most */
    cc_value reached; /* slot: the state that the last vector has reached; or NULL */
} emitter;

static inline cc_value frame_field(emitter *m, size_t at)
{
    return cc_offset(m->unit, m->b, m->frame, at);
}

static inline cc_value load32(emitter *m, cc_value base, size_t at)
{
    return cc_fixed_load(m->unit, m->b, m->unit->i32,
                         cc_offset(m->unit, m->b, base, at), 0);
}

static inline cc_value pointer_field(emitter *m, size_t at)
{
    return cc_fixed_load(m->unit, m->b, m->unit->ptr, frame_field(m, at), 4);
}

static inline cc_value get(emitter *m, cc_value slot)
{
    return LLVMBuildLoad2(m->b, LLVMGetAllocatedType(slot), slot, "");
}

static inline cc_value slot(emitter *m, cc_type t, cc_value start)
{
    cc_value s = LLVMBuildAlloca(m->entry, t, "");
    LLVMBuildStore(m->b, start, s);
    return s;
}

static inline cc_value width_of(emitter *m)
{
    return cc_int(m->unit->i32, m->width);
}

static inline cc_block new_block(emitter *m, const char *name)
{
    return LLVMAppendBasicBlockInContext(m->unit->context, m->function, name);
}

#define UNROLLED 4
#define LONG 1000 /* instructions of code that LLVM need not think of unrolling */

/* What LLVM is told of a loop over vectors. To see that one is too long to be unrolled,
   it asks for the cost of each instruction, twice: a fifth of the time for functions of
   doubles. */
static inline void tell_unrolling(emitter *m, cc_value branch, bool by_vectors)
{
    if (m->unrolled && by_vectors)
        cc_unroll(m->unit, branch, UNROLLED);
    else if (m->full && cc_instructions(m->full) > LONG)
        cc_unroll(m->unit, branch, 1);
}

/* -- for (*v = 0; *v + ahead <= limit; *v += step), of whole blocks at least once -- */

typedef struct {
    cc_value variable, limit;
    unsigned ahead, step;
    cc_block body, end;
} loop;

/* variable + n, which is far from the end of its type's range: LLVM may count in
   addresses. */
static inline cc_value counted(emitter *m, cc_value variable, unsigned n)
{
    cc_value old = get(m, variable);
    cc_value sum = LLVMBuildNSWAdd(m->b, old, cc_int(LLVMTypeOf(old), n), "");
    LLVMSetNUW(sum, 1);
    return sum;
}

static inline cc_value more(emitter *m, const loop *l)
{
    cc_value next = counted(m, l->variable, l->ahead);
    return LLVMBuildICmp(m->b, LLVMIntULE, next, l->limit, "");
}

static inline loop loop_begin(emitter *m, cc_value variable, cc_value limit,
                              unsigned ahead, unsigned step)
{
    loop l = {variable, limit, ahead, step, new_block(m, "body"), new_block(m, "end")};
    if (m->whole) /* there is a vector: what is the same in all need not wait for it */
        LLVMBuildBr(m->b, l.body);
    else
        LLVMBuildCondBr(m->b, more(m, &l), l.body, l.end);
    LLVMPositionBuilderAtEnd(m->b, l.body);
    return l;
}

/* The end of the body, which has counted. */
static inline void loop_turn(emitter *m, const loop *l)
{
    if (m->once && l->step == m->width) {
        LLVMBuildBr(m->b, l->end);
    } else {
        cc_value again = LLVMBuildCondBr(m->b, more(m, l), l->body, l->end);
        tell_unrolling(m, again, l->step == m->width);
    }
    LLVMPositionBuilderAtEnd(m->b, l->end);
}

static inline void loop_end(emitter *m, const loop *l)
{
    LLVMBuildStore(m->b, counted(m, l->variable, l->step), l->variable);
    loop_turn(m, l);
}

/* -- vector_loops.c -- */

/* The body of the loop, for one vector: `lanes` of it are threads of the block; NULL:
   all. */
typedef void cc_each(emitter *, void *data, cc_value x0, cc_value y, cc_value z,
                     cc_value lanes);
/* All vectors of a block, by rows or in the linear layout; those of a row of `limit`
   threads; those above one another in turn. */
void cc_each_vector(emitter *, cc_each *f, void *data);
void cc_each_in_row(emitter *, cc_value limit, cc_value y, cc_value z, cc_each *f,
                    void *data);
void cc_each_column(emitter *, cc_each *f, void *data);

/* block_values.c: reads what full code of the region finds in memory of the pass, from
   that vector's context. */
void cc_read_block_values(emitter *, cc_value vector);

/* known_block.c: at the start of a pass, a block that the code is for runs that. */
void cc_try_block_code(emitter *, const cc_block_code *);

#endif
