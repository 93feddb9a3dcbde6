/* Calls: special registers, the runtime's functions, and what earlier stages left
   behind ("hc.*"). */
#include "hostcc/vector/vector.h"
#include "hostcc/front/front.h"
#include "hostcc/ir/addresses.h"

#include <stddef.h>

/* -- The runtime's services -- */

static val service(cc_vec *e, size_t offset)
{
    val table =
        cc_frame_field(e, e->b, e->launch, offsetof(hc_launch, services), e->unit->ptr);
    return cc_frame_field(e, e->b, table, offset, e->unit->ptr);
}

/* {x, y, z} of the lane, in memory. */
static val thread_of(cc_vec *e, val lane)
{
    cc_unit *u = e->unit;
    val at = cc_stack(e, LLVMArrayType2(u->i32, 3), "thread");
    for (unsigned d = 0; d < 3; d++) {
        val v = LLVMBuildExtractElement(e->b, cc_thread_index(e, d), lane, "");
        LLVMBuildStore(e->b, v, cc_offset(e->unit, e->b, at, 4 * d));
    }
    return at;
}

/* frame, thread, then the call's own arguments: those of the first lane that runs. */
static void fatal_service(cc_vec *e, val i, size_t offset)
{
    cc_unit *u = e->unit;
    type t[8] = {u->ptr, u->ptr};
    val lane = cc_first_lane(e), args[8] = {e->frame, thread_of(e, lane)};
    unsigned n = cc_nargs(i);
    for (unsigned k = 0; k < n; k++) {
        val lanes = cc_lanes(e, LLVMGetOperand(i, k));
        args[k + 2] = LLVMBuildExtractElement(e->b, lanes, lane, "");
        t[k + 2] = LLVMTypeOf(args[k + 2]);
    }
    LLVMBuildCall2(e->b, LLVMFunctionType(u->none, t, n + 2, 0), service(e, offset),
                   args, n + 2, "");
}

/* frame, then the call's own arguments. */
static val service_lane(cc_vec *e, val i, val *operand, unsigned n, void *data)
{
    val args[8] = {e->frame};
    type t[8] = {e->unit->ptr};
    for (unsigned k = 0; k + 1 < n && k < 7; k++) {
        args[k + 1] = operand[k];
        t[k + 1] = LLVMTypeOf(operand[k]);
    }
    type ft = LLVMFunctionType(LLVMTypeOf(i), t, n, 0);
    return LLVMBuildCall2(e->b, ft, data, args, n, "");
}

/* -- Special registers -- */

static bool special_register(cc_vec *e, val i)
{
    const char *reg = cc_register(i), *dot = strchr(reg, '.');
    unsigned dim = dot ? (unsigned)(dot[1] - 'x') : 0;
    val v, lanes = NULL;
    if (cc_prefixed(reg, "tid.")) {
        v = dim == 0 ? e->x0 : dim == 1 ? e->y : e->z;
        lanes = e->linear ? cc_thread_index(e, dim) : NULL;
    } else if (cc_prefixed(reg, "ntid.")) {
        v = cc_block_dim(e, dim);
    } else if (cc_prefixed(reg, "ctaid.")) {
        v = e->index[dim];
    } else if (cc_prefixed(reg, "nctaid.")) {
        v = cc_frame_field(e, e->entry, e->launch, offsetof(hc_launch, grid) + 4 * dim,
                           e->unit->i32);
    } else {
        return false;
    }
    cc_define(e, i, lanes ? NULL : v, lanes);
    return true;
}

/* -- What has a meaning of its own -- */

static void put(cc_vec *e, val v, size_t offset, unsigned align)
{
    cc_store_lanes(e, cc_lanes(e, v), cc_record(e, offset), align);
}

static val shared_memory(cc_vec *e)
{
    if (!e->shared)
        e->shared = cc_frame_field(e, e->entry, e->frame, offsetof(hc_frame, shared),
                                   e->unit->ptr);
    return e->shared;
}

/* The number of vectors in the block. */
static val vectors(cc_vec *e)
{
    type i32 = e->unit->i32;
    val n[3], up = cc_int(i32, e->width - 1), width = cc_int(i32, e->width);
    for (unsigned d = 0; d < 3; d++)
        n[d] = cc_block_dim(e, d);
    val rows = LLVMBuildMul(e->entry, n[1], n[2], "");
    if (e->linear)
        n[0] = LLVMBuildMul(e->entry, n[0], rows, "");
    val chunks = LLVMBuildAdd(e->entry, n[0], up, "");
    chunks = LLVMBuildUDiv(e->entry, chunks, width, "");
    return e->linear ? chunks : LLVMBuildMul(e->entry, chunks, rows, "");
}

/* Value by value, and for each value vector by vector: what is used together lies
   together, and what takes few bytes stays in few cache lines. */
static val context_slot(cc_vec *e, uint64_t offset, uint64_t bytes)
{
    cc_unit *u = e->unit;
    if (!e->context) {
        e->context =
            cc_frame_field(e, e->entry, e->frame, offsetof(hc_frame, context), u->ptr);
        e->vectors = LLVMBuildZExt(e->entry, vectors(e), u->i64, "");
    }
    val at = LLVMBuildMul(e->entry, e->vectors, cc_int(u->i64, offset), "");
    val number = LLVMBuildZExt(e->entry, e->vector, u->i64, "");
    number = LLVMBuildMul(e->entry, number, cc_int(u->i64, bytes), "");
    at = LLVMBuildAdd(e->entry, at, number, "");
    return LLVMBuildInBoundsGEP2(e->entry, u->i8, e->context, &at, 1, "slot");
}

/* A vector goes ahead a few iterations by itself, since saving and reading back costs
   time, but not many: each is a stream through memory of its own, and streams that lie
   a power of two apart, as those of a grid do, share few places in the caches. */
#define STREAMS 6

static unsigned iterations_ahead(const cc_vec *e, val i)
{
    int loop = e->cfg->node[cc_cfg_node(e->cfg, LLVMGetInstructionParent(i))].loop;
    cc_map *seen = cc_map_new();
    unsigned streams = 0;
    for (unsigned k = 0; k < e->shapes->count; k++) {
        val v = e->shapes->value[k];
        unsigned at = cc_cfg_node(e->cfg, LLVMGetInstructionParent(v));
        if (!cc_loop_contains(e->cfg, loop, at) || !cc_is_access(v))
            continue;
        val p = cc_pointer_of(v);
        if (!cc_same(e, p) && !cc_is_shared(p) && cc_map_get(seen, p) < 0)
            cc_map_put(seen, p, streams++);
    }
    return streams < 3 ? STREAMS / (streams + !streams) : STREAMS / 3;
}

/* Whether to let others catch up now; `across`: vectors of other blocks, too. */
static val lockstep(cc_vec *e, val i, bool across)
{
    type i32 = e->unit->i32;
    if (!across) /* in one stream, without a gap */
        return LLVMBuildICmp(e->b, LLVMIntNE, vectors(e), cc_int(i32, 1), "");
    val count = cc_stack(e, i32, "ahead"), most = cc_int(i32, iterations_ahead(e, i));
    LLVMBuildStore(e->entry, cc_int(i32, 1), count);
    val n = LLVMBuildLoad2(e->b, i32, count, "");
    LLVMBuildStore(e->b, LLVMBuildAdd(e->b, n, cc_int(i32, 1), ""), count);
    return LLVMBuildICmp(e->b, LLVMIntEQ, n, most, "");
}

/* False: not one of ours. */
static bool pseudo_call(cc_vec *e, val i, const char *name)
{
    cc_unit *u = e->unit;
    val v = NULL;
    if (!strcmp(name, "hc.shared")) {
        val at = LLVMBuildZExt(e->b, LLVMGetOperand(i, 0), u->i64, "");
        v = LLVMBuildInBoundsGEP2(e->b, u->i8, shared_memory(e), &at, 1, "");
    } else if (!strcmp(name, "hc.joined") && !e->masked) {
        val args[] = {LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), LLVMGetOperand(i, 2)};
        v = cc_pure_helper(u, e->entry, "hc.joined", u->ptr, 3, args);
    } else if (!strcmp(name, "hc.slot") || !strcmp(name, "hc.joined")) {
        v = context_slot(e, LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)),
                         LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2)));
    } else if (!strcmp(name, "hc.stack")) {
        type bytes =
            LLVMArrayType2(u->i8, LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2)));
        v = cc_stack(e, bytes, "local");
        LLVMSetAlignment(v, 64);
    } else if (!strcmp(name, "hc.lane") || !strcmp(name, "__hostcc_lane")) {
        v = cc_int(u->i32, 0);
    } else if (!strcmp(name, "hc.suspend")) {
        v = e->mask ? cc_must_suspend(e, LLVMGetOperand(i, 0)) : cc_int(u->i1, 0);
    } else if (!strcmp(name, "hc.lockstep")) {
        bool across = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
        v = e->mask ? cc_int(u->i1, 0) : lockstep(e, i, across);
    } else if (!strcmp(name, "hc.barrier.value")) {
        v = cc_offset(u, e->b, e->frame, offsetof(hc_frame, barrier_value));
        v = LLVMBuildLoad2(e->b, u->i32, v, "");
    } else if (!strcmp(name, "hc.put")) {
        put(e, LLVMGetOperand(i, 0), offsetof(hc_exchange, value), 8);
        put(e, LLVMGetOperand(i, 1), offsetof(hc_exchange, mask), 4);
        put(e, LLVMGetOperand(i, 2), offsetof(hc_exchange, argument), 4);
    } else if (!strcmp(name, "hc.put.flag")) {
        put(e, LLVMGetOperand(i, 0), offsetof(hc_exchange, flag), 4);
    } else if (!strcmp(name, "hc.result")) {
        val at = cc_record(e, offsetof(hc_exchange, result));
        cc_define(e, i, NULL, cc_load_lanes(e, u->i64, at, 8));
    } else if (!strcmp(name, "__hostcc_clock")) {
        v = cc_intrinsic(e, "llvm.readcyclecounter", NULL, 0, NULL, 0);
    } else if (!strcmp(name, "__hostcc_nanoseconds")) {
        type t = LLVMFunctionType(u->i64, NULL, 0, 0);
        v = LLVMBuildCall2(e->b, t, service(e, offsetof(hc_services, nanoseconds)),
                           NULL, 0, "");
    } else if (!strcmp(name, "__hostcc_pause")) {
        type t = LLVMFunctionType(u->none, &u->ptr, 1, 0);
        LLVMBuildCall2(e->b, t, service(e, offsetof(hc_services, pause)), &e->frame, 1,
                       "");
    } else if (!strcmp(name, "__hostcc_grid_arrived")) {
        v = cc_frame_field(e, e->b, e->launch, offsetof(hc_launch, arrived), u->ptr);
    } else if (!strcmp(name, "__hostcc_shared")) {
        v = shared_memory(e);
    } else if (!strcmp(name, "__hostcc_shared_bytes")) {
        v = cc_frame_field(e, e->b, e->launch, offsetof(hc_launch, dynamic_shared),
                           u->i32);
        v = LLVMBuildAdd(e->b, v, cc_int(u->i32, e->kernel->shared_bytes), "");
    } else {
        return false;
    }
    if (v)
        cc_define(e, i, v, NULL);
    return true;
}

void cc_call(cc_vec *e, val i)
{
    const char *name = cc_callee(i);
    const cc_service *known = cc_find_service(name);
    if (pseudo_call(e, i, name) || special_register(e, i))
        return;
    cc_refuse_ptx(i, e->kernel->name);
    if (known && known->fatal)
        fatal_service(e, i, known->offset);
    else if (known)
        cc_each_lane(e, i, service_lane, service(e, known->offset));
    else if (!(cc_prefixed(name, "llvm.") ? cc_intrinsic_call(e, i)
                                          : cc_warp_call(e, i)))
        cc_lane_by_lane(e, i);
}
