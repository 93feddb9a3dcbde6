/* Race checks in vector code (hc.race..., which the check stage puts in front of
   accesses to shared memory). Most reads are of what two threads have read already
   since the last barrier: one comparison for all lanes settles these (abi/frame.h,
   hc_races). Everything else is a question to hostcuda, a vector at a time. */
#include "hostcc/vector/vector.h"
#include "hostcc/check/check.h"
#include "hostcc/ir/addresses.h"

#include <stddef.h>

/* The number in its block of the first lane's thread. */
static cc_value first_thread(cc_vec *e)
{
    if (e->linear)
        return e->x0;
    cc_value row = LLVMBuildMul(e->b, e->z, cc_block_dim(e, 1), "");
    row = LLVMBuildAdd(e->b, row, e->y, "");
    row = LLVMBuildMul(e->b, row, cc_block_dim(e, 0), "");
    return LLVMBuildAdd(e->b, row, e->x0, "");
}

static cc_value service(cc_vec *e, size_t offset)
{
    cc_value table =
        cc_frame_field(e, e->b, e->launch, offsetof(hc_launch, services), e->unit->ptr);
    return cc_frame_field(e, e->b, table, offset, e->unit->ptr);
}

static cc_value in_memory(cc_vec *e, cc_value lanes, const char *name)
{
    cc_value at = cc_stack(e, LLVMTypeOf(lanes), name);
    LLVMBuildStore(e->b, lanes, at);
    return at;
}

/* As hc_services.race has it. */
static cc_value packed(cc_vec *e, cc_value check)
{
    cc_value start = LLVMGetOperand(check, 4);
    uint64_t place = cc_function_of(start) == CC_FN_SHARED_AT
                         ? LLVMConstIntGetZExtValue(LLVMGetOperand(start, 0))
                         : 0;
    cc_type i64 = e->unit->i64;
    cc_value lanes = LLVMBuildZExt(e->b, cc_bits32(e, cc_mask(e)), i64, "");
    cc_value thread = LLVMBuildZExt(e->b, first_thread(e), i64, "");
    thread = LLVMBuildShl(e->b, thread, cc_int(i64, 32), "");
    uint64_t bits = LLVMConstIntGetZExtValue(LLVMGetOperand(check, 1)) & HC_RACE_KINDS;
    return LLVMBuildOr(e->b, LLVMBuildOr(e->b, lanes, thread, ""),
                       cc_int(i64, bits << 42 | place << 46), "");
}

/* Asks hostcuda. Values were made before: this may be behind a branch. */
static void ask(cc_vec *e, cc_value check, cc_value at, cc_value values)
{
    cc_unit *u = e->unit;
    cc_uniformity s = cc_uniformity_of(e->uniformity, LLVMGetOperand(check, 0));
    bool even = s.kind == CC_AFFINE;
    values = values ? in_memory(e, values, "written") : LLVMConstNull(u->ptr);
    cc_value site = LLVMGetOperand(check, 2);
    cc_value all = packed(e, check);
    cc_type t[6] = {u->ptr, u->ptr, u->ptr, u->i64, u->ptr, u->i64};
    if (even) {
        cc_value args[] = {e->frame, site,   at,
                           all,      values, cc_int(u->i64, (uint64_t)s.stride)};
        t[3] = u->i64;
        LLVMBuildCall2(e->b, LLVMFunctionType(u->none, t, 6, 0),
                       service(e, offsetof(hc_services, race)), args, 6, "");
    } else {
        cc_value args[] = {e->frame, site, in_memory(e, at, "addresses"), all, values};
        LLVMBuildCall2(e->b, LLVMFunctionType(u->none, t, 5, 0),
                       service(e, offsetof(hc_services, race_each)), args, 5, "");
    }
}

/* Whether some lane reads what two threads have not read since the last barrier. */
static cc_value is_new(cc_vec *e, cc_value at, int64_t stride)
{
    cc_unit *u = e->unit;
    cc_value races =
        cc_frame_field(e, e->entry, e->frame, offsetof(hc_frame, races), u->ptr);
    cc_value many =
        cc_frame_field(e, e->entry, races, offsetof(hc_races, many), u->ptr);
    cc_value interval =
        LLVMBuildLoad2(e->entry, u->i32,
                       cc_offset(u, e->entry, races, offsetof(hc_races, interval)), "");
    cc_value shared =
        cc_frame_field(e, e->entry, e->frame, offsetof(hc_frame, shared), u->ptr);
    cc_value by = LLVMBuildSub(e->b, LLVMBuildPtrToInt(e->b, at, u->i64, ""),
                               LLVMBuildPtrToInt(e->b, shared, u->i64, ""), "");
    by = LLVMBuildAShr(e->b, by, cc_int(u->i64, e->kernel->granule_shift), "");
    many = LLVMBuildGEP2(e->b, u->i32, many, &by, 1, "");
    if (!stride) {
        cc_value since = LLVMBuildLoad2(e->b, u->i32, many, "");
        return LLVMBuildICmp(e->b, LLVMIntULT, since, interval, "");
    }
    cc_value since = cc_load_lanes(e, u->i32, many, 4, e->mask);
    cc_value old = LLVMBuildICmp(e->b, LLVMIntULT, since, cc_splat(e, interval), "");
    return cc_any(e, e->mask ? cc_both(e, e->mask, old) : old);
}

/* Whether something in this launch may write what the parameter points into. */
static cc_value may_be_written(cc_vec *e, unsigned word)
{
    cc_unit *u = e->unit;
    if (e->kernel->writes && e->kernel->writes[word])
        return NULL;
    cc_value raced =
        cc_frame_field(e, e->entry, e->launch, offsetof(hc_launch, raced), u->ptr);
    cc_value may =
        LLVMBuildLoad2(e->entry, u->i8, cc_offset(u, e->entry, raced, word), "");
    return LLVMBuildICmp(e->entry, LLVMIntNE, may, cc_int(u->i8, 0), "");
}

cc_value cc_emit_race(cc_vec *e, cc_value i)
{
    cc_value p = LLVMGetOperand(i, 0);
    cc_uniformity s = cc_uniformity_of(e->uniformity, p);
    uint64_t what = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
    uint64_t bytes = CC_RACE_BYTES(what);
    bool even = s.kind == CC_AFFINE, writes = what & HC_RACE_WRITES;
    cc_value at = even ? cc_scalar(e, p) : cc_lanes(e, p);
    cc_value values = writes ? cc_lanes(e, LLVMGetOperand(i, 3)) : NULL;
    cc_value open = NULL; /* whether hostcuda is asked */
    if (!writes && CC_RACE_WORD(what) >= 0)
        open = may_be_written(e, (unsigned)CC_RACE_WORD(what));
    else if (!writes && even && cc_is_shared(p) &&
             bytes == UINT64_C(1) << e->kernel->granule_shift &&
             (!s.stride || s.stride == (int64_t)bytes))
        open = is_new(e, at, s.stride);
    if (!open) {
        ask(e, i, at, values);
        return NULL;
    }
    cc_block some = cc_new_block(e, "race.ask"), done = cc_new_block(e, "race.done");
    LLVMBuildCondBr(e->b, open, some, done);
    LLVMPositionBuilderAtEnd(e->b, some);
    ask(e, i, at, values);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, done);
    return NULL;
}

/* An atomic operation, a volatile access or a fence has been done: the warps of these
   lanes may know of others, and others of them. */
cc_value cc_emit_race_sign(cc_vec *e, cc_value i)
{
    cc_unit *u = e->unit;
    cc_type t[2] = {u->ptr, u->i32};
    cc_value thread = LLVMBuildOr(e->b, first_thread(e), LLVMGetOperand(i, 0), "");
    cc_value args[] = {e->frame, thread};
    LLVMBuildCall2(e->b, LLVMFunctionType(u->none, t, 2, 0),
                   service(e, offsetof(hc_services, race_sign)), args, 2, "");
    return NULL;
}

/* Lanes of a vector are always in step. */
cc_value cc_emit_syncwarp(cc_vec *e, cc_value i)
{
    if (!(e->unit->options->checks & HC_CHECK_RACE))
        return NULL;
    cc_unit *u = e->unit;
    cc_type t[4] = {u->ptr, u->i32, u->i32, u->ptr};
    cc_value masks = in_memory(e, cc_lanes(e, LLVMGetOperand(i, 0)), "masks");
    cc_value args[] = {e->frame, first_thread(e), cc_bits32(e, cc_mask(e)), masks};
    LLVMBuildCall2(e->b, LLVMFunctionType(u->none, t, 4, 0),
                   service(e, offsetof(hc_services, race_meet)), args, 4, "");
    return NULL;
}
