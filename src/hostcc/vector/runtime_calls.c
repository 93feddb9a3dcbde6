/* Code for the runtime's functions, and for those that earlier stages left (hc.*):
   memory of the block and of the vector, services of hostcuda, loops in step. */
#include "hostcc/vector/vector.h"
#include "hostcc/front/front.h"
#include "hostcc/ir/addresses.h"

#include <stddef.h>

/* -- The runtime's services -- */

static cc_value service(cc_vec *e, size_t offset)
{
    cc_value table =
        cc_frame_field(e, e->b, e->launch, offsetof(hc_launch, services), e->unit->ptr);
    return cc_frame_field(e, e->b, table, offset, e->unit->ptr);
}

/* {x, y, z} of the lane, in memory. */
static cc_value thread_of(cc_vec *e, cc_value lane)
{
    cc_unit *u = e->unit;
    cc_value at = cc_stack(e, LLVMArrayType2(u->i32, 3), "thread");
    for (unsigned d = 0; d < 3; d++) {
        cc_value v = LLVMBuildExtractElement(e->b, cc_thread_index(e, d), lane, "");
        LLVMBuildStore(e->b, v, cc_offset(e->unit, e->b, at, 4 * d));
    }
    return at;
}

/* frame, thread, then the call's own arguments: those of the first lane that runs. */
cc_value cc_emit_fatal_service(cc_vec *e, cc_value i)
{
    size_t offset = cc_service_of(i)->offset;
    cc_unit *u = e->unit;
    cc_type t[8] = {u->ptr, u->ptr};
    cc_value lane = cc_first_lane(e), args[8] = {e->frame, thread_of(e, lane)};
    unsigned n = cc_nargs(i);
    for (unsigned k = 0; k < n; k++) {
        cc_value lanes = cc_lanes(e, LLVMGetOperand(i, k));
        args[k + 2] = LLVMBuildExtractElement(e->b, lanes, lane, "");
        t[k + 2] = LLVMTypeOf(args[k + 2]);
    }
    LLVMBuildCall2(e->b, LLVMFunctionType(u->none, t, n + 2, 0), service(e, offset),
                   args, n + 2, "");
    return NULL;
}

/* frame, then the call's own arguments. */
static cc_value service_lane(cc_vec *e, cc_value i, cc_value *operand, unsigned n,
                             void *data)
{
    cc_value args[8] = {e->frame};
    cc_type t[8] = {e->unit->ptr};
    for (unsigned k = 0; k + 1 < n && k < 7; k++) {
        args[k + 1] = operand[k];
        t[k + 1] = LLVMTypeOf(operand[k]);
    }
    cc_type ft = LLVMFunctionType(LLVMTypeOf(i), t, n, 0);
    return LLVMBuildCall2(e->b, ft, data, args, n, "");
}

cc_value cc_emit_service(cc_vec *e, cc_value i)
{
    cc_each_lane(e, i, service_lane, service(e, cc_service_of(i)->offset));
    return NULL;
}

/* -- Memory of the block and of the vector -- */

static void put(cc_vec *e, cc_value v, size_t offset, unsigned align)
{
    cc_store_own_lanes(e, cc_lanes(e, v), cc_record(e, offset), align, e->mask);
}

static cc_value shared_memory(cc_vec *e)
{
    if (!e->shared)
        e->shared = cc_frame_field(e, e->entry, e->frame, offsetof(hc_frame, shared),
                                   e->unit->ptr);
    return e->shared;
}

/* The number of vectors in the block. */
static cc_value vectors(cc_vec *e)
{
    cc_value n[3];
    for (unsigned d = 0; d < 3; d++)
        n[d] = cc_block_dim(e, d);
    return cc_vectors_of_block(e->unit, e->entry, n, e->width, e->linear);
}

static cc_value context_slot(cc_vec *e, uint64_t offset, uint64_t bytes)
{
    if (!e->context) {
        e->context = cc_frame_field(e, e->entry, e->frame, offsetof(hc_frame, context),
                                    e->unit->ptr);
        e->vectors = vectors(e);
    }
    return cc_slot_address(e->unit, e->entry, e->context, e->vectors, e->vector, offset,
                           bytes);
}

/* A vector goes ahead a few iterations by itself, since saving and reading back costs
   time, but not many: each is a stream through memory of its own, and streams
   a power of two apart, as those of a grid do, share few places in the caches. */
#define STREAMS 6

static int loop_of(const cc_vec *e, cc_value i)
{
    return e->cfg->node[cc_cfg_node(e->cfg, LLVMGetInstructionParent(i))].loop;
}

/* The call in the innermost loop around `inside`, or NULL. */
static cc_value call_in_loop(const cc_vec *e, cc_value inside, cc_function_id which)
{
    int loop = loop_of(e, inside);
    if (loop < 0)
        return NULL;
    CC_EACH_INST_OF(i, e->cfg->function) {
        if (cc_function_of(i) == which && loop_of(e, i) == loop)
            return i;
    }
    return NULL;
}

cc_value cc_step_over_grid(const cc_vec *e, cc_value inside)
{
    cc_value step = call_in_loop(e, inside, CC_FN_LOCKSTEP);
    return step && LLVMConstIntGetZExtValue(LLVMGetOperand(step, 0)) ? step : NULL;
}

cc_value cc_turns_over_grid(const cc_vec *e, cc_value inside)
{
    cc_value call = call_in_loop(e, inside, CC_FN_TURNS);
    cc_value turns = call ? LLVMGetOperand(call, 0) : NULL;
    return turns && !cc_loop_computes(e->cfg, loop_of(e, call), turns) ? turns : NULL;
}

cc_value cc_emit_turns(cc_vec *e, cc_value i)
{
    (void)e, (void)i;
    return NULL;
}

unsigned cc_iterations_ahead(const cc_vec *e, cc_value i)
{
    int loop = loop_of(e, i);
    cc_map *seen = cc_map_new();
    unsigned streams = 0;
    for (unsigned k = 0; k < e->uniformity->count; k++) {
        cc_value v = e->uniformity->value[k];
        unsigned at = cc_cfg_node(e->cfg, LLVMGetInstructionParent(v));
        if (!cc_loop_contains(e->cfg, loop, at) || !cc_is_access(v))
            continue;
        cc_value p = cc_pointer_of(v);
        if (!cc_same(e, p) && !cc_is_shared(p) && cc_map_get(seen, p) < 0)
            cc_map_put(seen, p, streams++);
    }
    return streams < 3 ? STREAMS / (streams + !streams) : STREAMS / 3;
}

/* Whether to let others catch up now; `across`: vectors of other blocks, too. */
static cc_value lockstep(cc_vec *e, cc_value i, bool across)
{
    cc_type i32 = e->unit->i32;
    if (!across) /* in one stream, without a gap */
        return LLVMBuildICmp(e->b, LLVMIntNE, vectors(e), cc_int(i32, 1), "");
    cc_value count = cc_stack(e, i32, "ahead"),
             most = cc_int(i32, cc_iterations_ahead(e, i));
    LLVMBuildStore(e->entry, cc_int(i32, 1), count);
    cc_value n = LLVMBuildLoad2(e->b, i32, count, "");
    LLVMBuildStore(e->b, LLVMBuildAdd(e->b, n, cc_int(i32, 1), ""), count);
    return LLVMBuildICmp(e->b, LLVMIntEQ, n, most, "");
}

/* -- hc.* -- */

cc_value cc_emit_shared_at(cc_vec *e, cc_value i)
{
    cc_value at = LLVMBuildZExt(e->b, LLVMGetOperand(i, 0), e->unit->i64, "");
    return LLVMBuildInBoundsGEP2(e->b, e->unit->i8, shared_memory(e), &at, 1, "");
}

cc_value cc_emit_dynamic_shared(cc_vec *e, cc_value i)
{
    (void)i;
    cc_value bytes = cc_frame_field(e, e->entry, e->launch,
                                    offsetof(hc_launch, dynamic_shared), e->unit->i32);
    return LLVMBuildZExt(e->entry, bytes, e->unit->i64, "");
}

/* What is the same in the whole block, full code reads of the pass, which has read it
   once: see cc_emit_fused. */
cc_value cc_emit_slot(cc_vec *e, cc_value i)
{
    if (!e->masked && LLVMConstIntGetZExtValue(LLVMGetOperand(i, 3)))
        return cc_emit_fused(e, i);
    return context_slot(e, LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)),
                        LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2)));
}

/* In full code it stays until regions are one function; masked code runs alone. */
cc_value cc_emit_fused(cc_vec *e, cc_value i)
{
    cc_value args[] = {LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), LLVMGetOperand(i, 2),
                       LLVMGetOperand(i, 3)};
    return e->masked
               ? cc_emit_slot(e, i)
               : cc_call_function(e->unit, e->entry, CC_FN_FUSED, e->unit->ptr, args);
}

cc_value cc_emit_stack(cc_vec *e, cc_value i)
{
    uint64_t bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2));
    cc_value memory = cc_stack(e, LLVMArrayType2(e->unit->i8, bytes), "local");
    LLVMSetAlignment(memory, 64);
    return memory;
}

cc_value cc_emit_lane(cc_vec *e, cc_value i)
{
    (void)i;
    return cc_int(e->unit->i32, 0);
}

cc_value cc_emit_lockstep(cc_vec *e, cc_value i)
{
    bool across = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
    return e->mask ? cc_int(e->unit->i1, 0) : lockstep(e, i, across);
}

cc_value cc_emit_barrier_value(cc_vec *e, cc_value i)
{
    (void)i;
    cc_value at = cc_offset(e->unit, e->b, e->frame, offsetof(hc_frame, barrier_value));
    return LLVMBuildLoad2(e->b, e->unit->i32, at, "");
}

cc_value cc_emit_put(cc_vec *e, cc_value i)
{
    put(e, LLVMGetOperand(i, 0), offsetof(hc_exchange, value), 8);
    put(e, LLVMGetOperand(i, 1), offsetof(hc_exchange, mask), 4);
    put(e, LLVMGetOperand(i, 2), offsetof(hc_exchange, argument), 4);
    return NULL;
}

cc_value cc_emit_put_flag(cc_vec *e, cc_value i)
{
    put(e, LLVMGetOperand(i, 0), offsetof(hc_exchange, flag), 4);
    return NULL;
}

cc_value cc_emit_result(cc_vec *e, cc_value i)
{
    cc_value at = cc_record(e, offsetof(hc_exchange, result));
    cc_define(e, i, NULL, cc_load_lanes(e, e->unit->i64, at, 8, e->mask));
    return NULL;
}

/* -- __hostcc_* -- */

cc_value cc_emit_clock(cc_vec *e, cc_value i)
{
    (void)i;
    return cc_intrinsic(e, "llvm.readcyclecounter", NULL, 0, NULL, 0);
}

cc_value cc_emit_nanoseconds(cc_vec *e, cc_value i)
{
    (void)i;
    return LLVMBuildCall2(e->b, LLVMFunctionType(e->unit->i64, NULL, 0, 0),
                          service(e, offsetof(hc_services, nanoseconds)), NULL, 0, "");
}

cc_value cc_emit_pause(cc_vec *e, cc_value i)
{
    (void)i;
    cc_type t = LLVMFunctionType(e->unit->none, &e->unit->ptr, 1, 0);
    LLVMBuildCall2(e->b, t, service(e, offsetof(hc_services, pause)), &e->frame, 1, "");
    return NULL;
}

cc_value cc_emit_grid_arrived(cc_vec *e, cc_value i)
{
    (void)i;
    return cc_frame_field(e, e->b, e->launch, offsetof(hc_launch, arrived),
                          e->unit->ptr);
}

cc_value cc_emit_named_barriers(cc_vec *e, cc_value i)
{
    (void)i;
    return cc_offset(e->unit, e->b, e->frame, offsetof(hc_frame, named));
}

cc_value cc_emit_shared(cc_vec *e, cc_value i)
{
    (void)i;
    return shared_memory(e);
}

cc_value cc_emit_shared_bytes(cc_vec *e, cc_value i)
{
    (void)i;
    cc_type i32 = e->unit->i32;
    cc_value more =
        cc_frame_field(e, e->b, e->launch, offsetof(hc_launch, dynamic_shared), i32);
    return LLVMBuildAdd(e->b, more, cc_int(i32, e->kernel->shared_bytes), "");
}

cc_value cc_emit_each_lane(cc_vec *e, cc_value i)
{
    cc_lane_by_lane(e, i);
    return NULL;
}
