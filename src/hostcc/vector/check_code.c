/* Check mode: code for hc.check... . One comparison says whether all lanes are right:
   of evenly spaced lanes the first and the last byte are looked at, of others each
   lane, in registers. Where it fails, hostcuda is asked, which looks at the lanes one
   by one: under a mask, the lanes in question may be among those that do not run. */
#include "hostcc/vector/vector.h"
#include "hostcc/check/check.h"

#include <stddef.h>

/* Of a distance from the start of what is accessed. */
typedef struct {
    cc_value scalar,
        lanes; /* of the first lane; of each, if they are not evenly spaced */
    int64_t stride;
} distance;

typedef struct {
    unsigned bytes, shift; /* a multiple of 1 << shift */
    cc_builder at;         /* where the size is known */
} demand;

static demand demand_of(cc_value operand, cc_builder at)
{
    uint64_t v = LLVMConstIntGetZExtValue(operand);
    return (demand){CC_DEMAND_BYTES(v), CC_DEMAND_SHIFT(v), at};
}

/* -- The comparison -- */

/* size - n, or 0. */
static cc_value less(cc_vec *e, cc_builder b, cc_value size, uint64_t n)
{
    cc_value all = cc_int(e->unit->i64, n);
    cc_value enough = LLVMBuildICmp(b, LLVMIntUGT, size, all, "");
    return LLVMBuildSelect(b, enough, LLVMBuildSub(b, size, all, ""),
                           cc_int(e->unit->i64, 0), "");
}

/* Turned so that a distance that is no multiple becomes a large number. */
static cc_value turned(cc_vec *e, cc_value v, unsigned shift)
{
    cc_type t = LLVMTypeOf(v);
    if (!shift)
        return v;
    cc_value by = cc_kind(t) == LLVMVectorTypeKind
                      ? cc_splat(e, cc_int(e->unit->i64, shift))
                      : cc_int(e->unit->i64, shift);
    cc_value args[] = {v, v, by};
    return cc_intrinsic(e, "llvm.fshr", &t, 1, args, 3);
}

/* How many distances are right, turned as they are. */
static cc_value limit(cc_vec *e, cc_value size, demand d, uint64_t span)
{
    cc_value most = less(e, d.at, size, span + d.bytes - 1);
    if (!d.shift)
        return most;
    cc_type i64 = e->unit->i64;
    most = LLVMBuildAdd(d.at, most, cc_int(i64, (1ull << d.shift) - 1), "");
    return LLVMBuildLShr(d.at, most, cc_int(i64, d.shift), "");
}

/* Whether something is wrong with a lane; perhaps with one that does not run. */
static cc_value wrong(cc_vec *e, distance at, cc_value size, demand d)
{
    uint64_t stride = (uint64_t)(at.stride < 0 ? -at.stride : at.stride);
    if (!at.lanes && stride % (1ull << d.shift) == 0) {
        uint64_t span = stride * (e->width - 1);
        cc_value first = at.scalar;
        if (at.stride < 0)
            first = LLVMBuildSub(e->b, first, cc_int(e->unit->i64, span), "");
        return LLVMBuildICmp(e->b, LLVMIntUGE, turned(e, first, d.shift),
                             limit(e, size, d, span), "");
    }
    cc_value lanes = at.lanes ? at.lanes : cc_spread(e, at.scalar, at.stride);
    cc_value bad = LLVMBuildICmp(e->b, LLVMIntUGE, turned(e, lanes, d.shift),
                                 cc_splat(e, limit(e, size, d, 0)), "");
    return cc_any(e, e->mask ? cc_both(e, e->mask, bad) : bad);
}

/* -- Asking hostcuda -- */

/* `start` is added. */
static cc_value lanes_of(cc_vec *e, distance at, cc_value start)
{
    cc_value lanes = at.lanes ? at.lanes : cc_spread(e, at.scalar, at.stride);
    return start ? LLVMBuildAdd(e->b, lanes, cc_splat(e, start), "") : lanes;
}

/* Leaves the builder where the lanes go on that are right. */
static void ask(cc_vec *e, cc_value condition, distance at, cc_value start,
                cc_value access)
{
    cc_unit *u = e->unit;
    cc_block failed = cc_new_block(e, "check.failed"),
             good = cc_new_block(e, "checked");
    cc_value br = LLVMBuildCondBr(e->b, condition, failed, good);
    cc_mark_seldom(u, br);
    LLVMPositionBuilderAtEnd(e->b, failed);
    if (!e->where) {
        e->where = cc_stack(e, LLVMArrayType2(u->i64, HC_LANES), "where");
        LLVMSetAlignment(e->where, 64);
    }
    LLVMSetAlignment(LLVMBuildStore(e->b, lanes_of(e, at, start), e->where), 64);
    cc_value table =
        cc_frame_field(e, e->b, e->launch, offsetof(hc_launch, services), u->ptr);
    cc_value service =
        cc_frame_field(e, e->b, table, offsetof(hc_services, check), u->ptr);
    cc_value args[] = {e->frame, access, e->vector, cc_bits32(e, cc_mask(e)), e->where};
    cc_type t[] = {u->ptr, u->ptr, u->i32, u->i32, u->ptr};
    LLVMBuildCall2(e->b, LLVMFunctionType(u->none, t, 5, 0), service, args, 5, "");
    LLVMBuildBr(e->b, good);
    LLVMPositionBuilderAtEnd(e->b, good);
}

/* -- hc.check... -- */

/* Addresses as numbers. */
static cc_value number(cc_vec *e, cc_value pointer)
{
    cc_type t = LLVMTypeOf(pointer);
    bool wide = cc_kind(t) == LLVMVectorTypeKind;
    return LLVMBuildPtrToInt(
        e->b, pointer, wide ? LLVMVectorType(e->unit->i64, e->width) : e->unit->i64,
        "");
}

/* `of` as a distance from `start`, an address; NULL: it is one. */
static distance distance_of(cc_vec *e, cc_value of, cc_value start)
{
    cc_uniformity s = cc_uniformity_of(e->uniformity, of);
    bool pointer = cc_kind(LLVMTypeOf(of)) == LLVMPointerTypeKind;
    bool varying = s.kind == CC_VARYING;
    cc_value v = varying ? cc_lanes(e, of) : cc_scalar(e, of);
    v = pointer ? number(e, v) : v;
    if (start)
        v = LLVMBuildSub(e->b, v, varying ? cc_splat(e, start) : start, "");
    return varying ? (distance){NULL, v, 0} : (distance){v, NULL, s.stride};
}

/* The size, or 0 where the parameter is no multiple of 1 << shift: hostcuda is asked
   then. */
static cc_value of_aligned(cc_vec *e, cc_value size, uint64_t word, unsigned shift)
{
    cc_type i64 = e->unit->i64;
    if (!shift)
        return size;
    cc_value params = cc_frame_field(e, e->entry, e->launch,
                                     offsetof(hc_launch, params), e->unit->ptr);
    cc_value root = cc_frame_field(e, e->entry, params, word * 8, i64);
    cc_value low = LLVMBuildAnd(e->entry, root, cc_int(i64, (1ull << shift) - 1), "");
    cc_value aligned = LLVMBuildICmp(e->entry, LLVMIntEQ, low, cc_int(i64, 0), "");
    return LLVMBuildSelect(e->entry, aligned, size, cc_int(i64, 0), "");
}

cc_value cc_emit_check_bounds(cc_vec *e, cc_value i)
{
    cc_unit *u = e->unit;
    demand d = demand_of(LLVMGetOperand(i, 2), e->entry);
    size_t row = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1)) * sizeof(hc_bounds);
    cc_value table =
        cc_frame_field(e, e->entry, e->launch, offsetof(hc_launch, bounds), u->ptr);
    cc_value base =
        cc_frame_field(e, e->entry, table, row + offsetof(hc_bounds, base), u->i64);
    cc_value size =
        cc_frame_field(e, e->entry, table, row + offsetof(hc_bounds, size), u->i64);
    size = of_aligned(e, size, LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1)),
                      CC_DEMAND_ROOT(LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2))));
    distance at = distance_of(e, LLVMGetOperand(i, 0), base);
    cc_value condition = wrong(e, at, size, d);
    ask(e, condition, at, base, LLVMGetOperand(i, 3));
    return NULL;
}

cc_value cc_emit_check_size(cc_vec *e, cc_value i)
{
    cc_value size = LLVMGetOperand(i, 1);
    demand d = demand_of(LLVMGetOperand(i, 2), LLVMIsConstant(size) ? e->entry : e->b);
    distance at = distance_of(e, LLVMGetOperand(i, 0), NULL);
    cc_value condition = wrong(e, at, cc_scalar(e, size), d);
    ask(e, condition, at, NULL, LLVMGetOperand(i, 3));
    return NULL;
}

/* What was found last is tried first. */
cc_value cc_emit_check_address(cc_vec *e, cc_value i)
{
    cc_type i64 = e->unit->i64;
    demand d = demand_of(LLVMGetOperand(i, 2), e->b);
    size_t known = offsetof(hc_frame, known) +
                   LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1)) * sizeof(hc_bounds);
    cc_value row = cc_offset(e->unit, e->b, e->frame, known);
    cc_value base = LLVMBuildLoad2(
        e->b, i64, cc_offset(e->unit, e->b, row, offsetof(hc_bounds, base)), "");
    cc_value size = LLVMBuildLoad2(
        e->b, i64, cc_offset(e->unit, e->b, row, offsetof(hc_bounds, size)), "");
    distance at = distance_of(e, LLVMGetOperand(i, 0), base);
    cc_value condition = wrong(e, at, size, d);
    ask(e, condition, at, base, LLVMGetOperand(i, 3));
    return NULL;
}

cc_value cc_emit_check_free(cc_vec *e, cc_value i)
{
    distance at = distance_of(e, LLVMGetOperand(i, 0), NULL);
    ask(e, cc_int(e->unit->i1, 1), at, NULL, LLVMGetOperand(i, 3));
    return NULL;
}

/* -- Copies of any length, lane by lane -- */

static cc_value copy_of_lane(cc_vec *e, cc_value i, cc_value *operand, unsigned n,
                             void *table)
{
    (void)n;
    cc_ask_of_copy(e->unit, e->b, (cc_asked){e->frame, table, NULL}, cc_function_of(i),
                   operand);
    return NULL;
}

cc_value cc_emit_copy(cc_vec *e, cc_value i)
{
    cc_each_lane(e, i, copy_of_lane,
                 cc_frame_field(e, e->b, e->launch, offsetof(hc_launch, services),
                                e->unit->ptr));
    return NULL;
}
