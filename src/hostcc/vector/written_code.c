/* Checks that what is read was written (hc.written..., which the check stage puts in
   front of accesses). Each byte of device memory and of shared memory has a mark, all
   marks at one distance (abi/check.h, hc_written). So an access has its twin: a store
   of ones beside a store, a load and a comparison beside a load, for a vector as a
   whole. Where an address has no mark, the twin goes elsewhere, to marks that are
   always set. What has no simple twin is left to hostcuda. */
#include "hostcc/vector/vector.h"
#include "hostcc/ir/addresses.h"

#include <stddef.h>

/* -- Marks ------------------------------------------------------------------------- */

typedef struct {
    cc_value base, size; /* of the memory, as numbers */
    cc_value marks, elsewhere;
} area;

static area find_area(cc_vec *e, bool shared)
{
    cc_unit *u = e->unit;
    cc_value all =
        cc_frame_field(e, e->entry, e->launch, offsetof(hc_launch, written), u->ptr);
    area a;
    a.elsewhere =
        cc_frame_field(e, e->entry, all, offsetof(hc_written, elsewhere), u->ptr);
    if (!shared) {
        a.base = cc_frame_field(e, e->entry, all, offsetof(hc_written, base), u->i64);
        a.size = cc_frame_field(e, e->entry, all, offsetof(hc_written, size), u->i64);
        a.marks = cc_frame_field(e, e->entry, all, offsetof(hc_written, marks), u->ptr);
        return a;
    }
    cc_value base =
        cc_frame_field(e, e->entry, e->frame, offsetof(hc_frame, shared), u->ptr);
    cc_value before = cc_int(u->i64, -(uint64_t)HC_ELSEWHERE);
    a.base = LLVMBuildAdd(e->entry, LLVMBuildPtrToInt(e->entry, base, u->i64, ""),
                          before, "");
    a.marks =
        cc_frame_field(e, e->entry, e->frame, offsetof(hc_frame, written), u->ptr);
    a.marks = LLVMBuildGEP2(e->entry, u->i8, a.marks, &before, 1, "");
    a.size = cc_frame_field(e, e->entry, e->launch, offsetof(hc_launch, dynamic_shared),
                            u->i32);
    a.size = LLVMBuildZExt(e->entry, a.size, u->i64, "");
    a.size =
        LLVMBuildAdd(e->entry, a.size,
                     cc_int(u->i64, e->kernel->shared_bytes + 2 * HC_ELSEWHERE), "");
    return a;
}

/* size - bytes, or 0. */
static cc_value limit(cc_vec *e, cc_value size, uint64_t bytes)
{
    cc_value n = cc_int(e->unit->i64, bytes - 1);
    cc_value enough = LLVMBuildICmp(e->entry, LLVMIntUGT, size, n, "");
    return LLVMBuildSelect(e->entry, enough, LLVMBuildSub(e->entry, size, n, ""),
                           cc_int(e->unit->i64, 0), "");
}

/* Where the marks of that many bytes from `at` on are. */
static cc_value marks_at(cc_vec *e, const area *a, cc_value at, uint64_t bytes)
{
    cc_unit *u = e->unit;
    cc_value by =
        LLVMBuildSub(e->b, LLVMBuildPtrToInt(e->b, at, u->i64, ""), a->base, "");
    cc_value in = LLVMBuildICmp(e->b, LLVMIntULT, by, limit(e, a->size, bytes), "");
    cc_value marks = LLVMBuildGEP2(e->b, u->i8, a->marks, &by, 1, "");
    return LLVMBuildSelect(e->b, in, marks, a->elsewhere, "");
}

/* The same for each lane. */
static cc_value marks_of_lanes(cc_vec *e, const area *a, cc_value at, uint64_t bytes)
{
    cc_unit *u = e->unit;
    cc_value by = LLVMBuildPtrToInt(e->b, at, cc_wide(e, u->i64), "");
    by = LLVMBuildSub(e->b, by, cc_splat(e, a->base), "");
    cc_value in =
        LLVMBuildICmp(e->b, LLVMIntULT, by, cc_splat(e, limit(e, a->size, bytes)), "");
    cc_value marks = LLVMBuildGEP2(e->b, u->i8, a->marks, &by, 1, "");
    return LLVMBuildSelect(e->b, in, marks, cc_splat(e, a->elsewhere), "");
}

/* -- Asking hostcuda --------------------------------------------------------------- */

/* The service with the lanes' addresses. */
static void ask(cc_vec *e, cc_value site, cc_value lanes, size_t service)
{
    cc_unit *u = e->unit;
    cc_value table =
        cc_frame_field(e, e->b, e->launch, offsetof(hc_launch, services), u->ptr);
    cc_value memory = cc_stack(e, LLVMTypeOf(lanes), "where");
    LLVMBuildStore(e->b, lanes, memory);
    cc_type t[] = {u->ptr, u->ptr, u->i32, u->i32, u->ptr};
    cc_value args[] = {e->frame, site, e->vector, cc_bits32(e, cc_mask(e)), memory};
    LLVMBuildCall2(e->b, LLVMFunctionType(u->none, t, 5, 0),
                   cc_frame_field(e, e->b, table, service, u->ptr), args, 5, "");
}

static void ask_if(cc_vec *e, cc_value condition, cc_value site, cc_value lanes)
{
    cc_block some = cc_new_block(e, "unwritten"), done = cc_new_block(e, "written");
    LLVMBuildCondBr(e->b, condition, some, done);
    LLVMPositionBuilderAtEnd(e->b, some);
    ask(e, site, lanes, offsetof(hc_services, need_written));
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, done);
}

/* -- hc.written... ----------------------------------------------------------------- */

typedef struct {
    cc_value pointer, site;
    cc_uniformity uniformity;
    uint64_t bytes;
    cc_type t;   /* of the marks of one lane */
    bool shared; /* surely */
    bool row;    /* lanes side by side */
    bool single; /* all lanes at one place */
} access;

/* (address, bytes, whether it may be shared memory, site) */
static access access_of(cc_vec *e, cc_value i)
{
    access a = {.pointer = LLVMGetOperand(i, 0),
                .bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1)),
                .site = LLVMGetOperand(i, 3)};
    a.uniformity = cc_uniformity_of(e->uniformity, a.pointer);
    a.t = LLVMIntTypeInContext(e->unit->context, 8 * (unsigned)a.bytes);
    a.shared = cc_is_shared(a.pointer);
    a.single = cc_uniform(a.uniformity);
    a.row = a.uniformity.kind == CC_AFFINE && a.uniformity.stride == (int64_t)a.bytes;
    return a;
}

/* Whether it has a simple twin. */
static bool has_twin(cc_vec *e, const access *a, cc_value i)
{
    bool other = !a->shared && LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2));
    return !other && a->bytes <= 8 && (a->bytes & (a->bytes - 1)) == 0 &&
           (a->row || a->single || (a->bytes >= 4 && e->unit->vector_bits >= 512));
}

static uint64_t span(cc_vec *e, const access *a)
{
    return a->row ? a->bytes * e->width : a->bytes;
}

/* Under masks the first and last lanes may be outside, and the rest not. */
static bool is_whole(cc_vec *e, const access *a)
{
    return a->single || (a->row && !e->mask);
}

cc_value cc_emit_written_need(cc_vec *e, cc_value i)
{
    access a = access_of(e, i);
    cc_value lanes = cc_lanes(e, a.pointer), ones = LLVMConstAllOnes(a.t), bad;
    if (!has_twin(e, &a, i)) {
        ask(e, a.site, lanes, offsetof(hc_services, need_written));
        return NULL;
    }
    area in = find_area(e, a.shared);
    if (is_whole(e, &a) || a.row) {
        cc_value at = marks_at(e, &in, cc_scalar(e, a.pointer), span(e, &a));
        if (a.single) {
            cc_value v = LLVMBuildLoad2(e->b, a.t, at, "");
            LLVMSetAlignment(v, 1);
            bad = LLVMBuildICmp(e->b, LLVMIntNE, v, ones, "");
            ask_if(e, bad, a.site, lanes);
            return NULL;
        }
        cc_value v = cc_load_lanes(e, a.t, at, 1, e->mask);
        bad = LLVMBuildICmp(e->b, LLVMIntNE, v, cc_splat(e, ones), "");
    } else {
        cc_type wide = cc_wide(e, a.t);
        cc_value at = marks_of_lanes(e, &in, lanes, a.bytes);
        cc_type overload[] = {wide, LLVMTypeOf(at)};
        cc_value args[] = {at, cc_int(e->unit->i32, 1), cc_mask(e),
                           LLVMConstNull(wide)};
        cc_value v = cc_intrinsic(e, "llvm.masked.gather", overload, 2, args, 4);
        bad = LLVMBuildICmp(e->b, LLVMIntNE, v, cc_splat(e, ones), "");
    }
    ask_if(e, cc_any(e, e->mask ? cc_both(e, e->mask, bad) : bad), a.site, lanes);
    return NULL;
}

cc_value cc_emit_written_set(cc_vec *e, cc_value i)
{
    access a = access_of(e, i);
    cc_value ones = LLVMConstAllOnes(a.t);
    if (!has_twin(e, &a, i)) {
        ask(e, a.site, cc_lanes(e, a.pointer), offsetof(hc_services, set_written));
        return NULL;
    }
    area in = find_area(e, a.shared);
    if (a.single || a.row) {
        cc_value at = marks_at(e, &in, cc_scalar(e, a.pointer), span(e, &a));
        if (a.single)
            LLVMSetAlignment(LLVMBuildStore(e->b, ones, at), 1);
        else
            cc_store_lanes(e, cc_splat(e, ones), at, 1, e->mask);
        return NULL;
    }
    cc_value at = marks_of_lanes(e, &in, cc_lanes(e, a.pointer), a.bytes);
    cc_value wide = cc_splat(e, ones);
    cc_type overload[] = {LLVMTypeOf(wide), LLVMTypeOf(at)};
    cc_value args[] = {wide, at, cc_int(e->unit->i32, 1), cc_mask(e)};
    cc_intrinsic(e, "llvm.masked.scatter", overload, 2, args, 4);
    return NULL;
}
