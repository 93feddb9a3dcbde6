/* Masks: which lanes run, have arrived at a block, have returned; and memory accessed
   under them. A mask is a vector of bits; NULL stands for all lanes. */
#include "hostcc/vector/vector.h"

#include <stddef.h>

cc_type cc_mask_type(cc_vec *e)
{
    return LLVMVectorType(e->unit->i1, e->width);
}

cc_value cc_all_lanes(cc_vec *e)
{
    return LLVMConstAllOnes(cc_mask_type(e));
}

cc_value cc_mask(cc_vec *e)
{
    return e->mask ? e->mask : cc_all_lanes(e);
}

/* As an integer of `width` bits. */
cc_value cc_mask_bits(cc_vec *e, cc_value mask)
{
    cc_type bits = LLVMIntTypeInContext(e->unit->context, e->width);
    return LLVMBuildBitCast(e->b, mask, bits, "");
}

cc_value cc_bits32(cc_vec *e, cc_value mask)
{
    return LLVMBuildZExtOrBitCast(e->b, cc_mask_bits(e, mask), e->unit->i32, "");
}

/* The lowest that runs. */
cc_value cc_first_lane(cc_vec *e)
{
    cc_value args[] = {cc_bits32(e, cc_mask(e)), cc_int(e->unit->i1, 1)};
    return cc_intrinsic(e, "llvm.cttz", &e->unit->i32, 1, args, 2);
}

cc_value cc_nonzero(cc_vec *e, cc_value v)
{
    return LLVMBuildICmp(e->b, LLVMIntNE, v, LLVMConstNull(LLVMTypeOf(v)), "");
}

cc_value cc_any(cc_vec *e, cc_value mask)
{
    return cc_nonzero(e, cc_mask_bits(e, mask));
}

cc_value cc_lanes_of(cc_vec *e, cc_value bits32)
{
    cc_type bits = LLVMIntTypeInContext(e->unit->context, e->width);
    return LLVMBuildBitCast(e->b, LLVMBuildTruncOrBitCast(e->b, bits32, bits, ""),
                            cc_mask_type(e), "");
}

/* Lanes of m where c holds. A select: c may be poison in lanes that do not run. */
cc_value cc_both(cc_vec *e, cc_value m, cc_value c)
{
    return LLVMBuildSelect(e->b, m, c, LLVMConstNull(cc_mask_type(e)), "");
}

/* A stack slot made at first need, zero when the function begins. */
static cc_value zeroed(cc_vec *e, cc_value *slot, cc_type t, const char *name)
{
    if (!*slot) {
        *slot = cc_stack(e, t, name);
        LLVMBuildStore(e->entry, LLVMConstNull(t), *slot);
    }
    return *slot;
}

cc_value cc_home_mask(cc_vec *e, unsigned node)
{
    return zeroed(e, &e->home_mask[node], cc_mask_type(e), "mask");
}

cc_value cc_arrived(cc_vec *e, unsigned node)
{
    return LLVMBuildLoad2(e->b, cc_mask_type(e), cc_home_mask(e, node), "");
}

/* Lanes' next states where they diverge, and which lanes are done for good. */
cc_value cc_home_state(cc_vec *e)
{
    return zeroed(e, &e->home_state, LLVMVectorType(e->unit->i32, e->width), "state");
}

cc_value cc_home_exited(cc_vec *e)
{
    return zeroed(e, &e->home_exited, cc_mask_type(e), "exited");
}

cc_value cc_exited(cc_vec *e)
{
    return LLVMBuildLoad2(e->b, cc_mask_type(e), cc_home_exited(e), "");
}

cc_value cc_alive(cc_vec *e)
{
    cc_type i64 = e->unit->i64, i32 = e->unit->i32;
    cc_value all =
        cc_frame_field(e, e->b, e->frame, offsetof(hc_frame, alive), e->unit->ptr);
    cc_value number = LLVMBuildZExt(e->b, e->vector, i64, "");
    return LLVMBuildInBoundsGEP2(e->b, i32, all, &number, 1, "");
}

/* -- Consecutive lanes in memory -- */

cc_value cc_load_lanes(cc_vec *e, cc_type t, cc_value pointer, unsigned align,
                       cc_value mask)
{
    cc_type wide = cc_wide(e, t);
    if (!mask) {
        cc_value load = LLVMBuildLoad2(e->b, wide, pointer, "");
        LLVMSetAlignment(load, align);
        return load;
    }
    cc_type overload[] = {wide, e->unit->ptr};
    cc_value args[] = {pointer, cc_int(e->unit->i32, align), mask, LLVMConstNull(wide)};
    return cc_intrinsic(e, "llvm.masked.load", overload, 2, args, 4);
}

cc_value cc_store_lanes(cc_vec *e, cc_value value, cc_value pointer, unsigned align,
                        cc_value mask)
{
    if (!mask) {
        cc_value store = LLVMBuildStore(e->b, value, pointer);
        LLVMSetAlignment(store, align);
        return store;
    }
    cc_type overload[] = {LLVMTypeOf(value), e->unit->ptr};
    cc_value args[] = {value, pointer, cc_int(e->unit->i32, align), mask};
    return cc_intrinsic(e, "llvm.masked.store", overload, 2, args, 4);
}
