/* Warp functions where all named lanes are in the vector at once: a vector is a warp,
   so they are vector instructions. Where some named lane is elsewhere, the states pass
   has put a question (hc.suspend) before the call, and hostcuda's scheduler does the
   work instead. */
#include "hostcc/vector/vector.h"

#include <stddef.h>

/* Lanes l of the result: v[index[l]], through memory. */
static cc_value permute(cc_vec *e, cc_value v, cc_value index)
{
    cc_unit *u = e->unit;
    cc_type t = LLVMGetElementType(LLVMTypeOf(v));
    cc_value memory = cc_stack(e, LLVMTypeOf(v), "permute");
    LLVMBuildStore(e->b, v, memory);
    cc_value at = LLVMBuildGEP2(e->b, t, memory, &index, 1, "");
    cc_type overload[] = {LLVMTypeOf(v), LLVMTypeOf(at)};
    cc_value args[] = {at, cc_int(u->i32, cc_sizeof(u, t)),
                       cc_splat(e, cc_int(u->i1, 1)), LLVMGetPoison(LLVMTypeOf(v))};
    return cc_intrinsic(e, "llvm.masked.gather", overload, 2, args, 4);
}

/* -- Shuffles -- */

/* Which lane each lane reads; out of its segment it reads itself. Of the operand five
   bits count (PTX ISA, shfl.sync). LLVM folds constant ones. */
static cc_value source_lanes(cc_vec *e, hc_warp_op kind, cc_value operand,
                             cc_value width)
{
    cc_type i32 = e->unit->i32;
    cc_builder b = e->b;
    cc_value l = cc_lane_numbers(e, i32), one = cc_splat(e, cc_int(i32, 1));
    operand = LLVMBuildAnd(b, operand, cc_splat(e, cc_int(i32, 31)), "");
    cc_value low = LLVMBuildSub(b, width, one, ""), in = LLVMBuildAnd(b, l, low, ""),
             source, ok;
    if (kind == HC_SHUFFLE_INDEX) {
        cc_value base = LLVMBuildAnd(b, l, LLVMBuildNot(b, low, ""), "");
        return LLVMBuildOr(b, base, LLVMBuildAnd(b, operand, low, ""), "");
    }
    if (kind == HC_SHUFFLE_UP) {
        source = LLVMBuildSub(b, l, operand, "");
        ok = LLVMBuildICmp(b, LLVMIntUGE, in, operand, "");
    } else if (kind == HC_SHUFFLE_DOWN) {
        source = LLVMBuildAdd(b, l, operand, "");
        ok = LLVMBuildICmp(b, LLVMIntULT, operand, LLVMBuildSub(b, width, in, ""), "");
    } else {
        source = LLVMBuildXor(b, l, operand, "");
        ok = LLVMBuildICmp(b, LLVMIntULE, source, LLVMBuildOr(b, l, low, ""), "");
    }
    return LLVMBuildSelect(b, ok, source, l, "");
}

/* Lane l of the result: lanes[source[l]]. */
static void define_from(cc_vec *e, cc_value i, cc_value lanes, cc_value source)
{
    cc_value none = LLVMGetPoison(LLVMTypeOf(lanes));
    source = LLVMBuildAnd(e->b, source, cc_splat(e, cc_int(e->unit->i32, 31)), "");
    cc_define(e, i, NULL,
              LLVMIsConstant(source)
                  ? LLVMBuildShuffleVector(e->b, lanes, none, source, "")
                  : permute(e, lanes, source));
}

cc_value cc_emit_from_lane(cc_vec *e, cc_value i)
{
    define_from(e, i, cc_lanes(e, LLVMGetOperand(i, 0)),
                cc_lanes(e, LLVMGetOperand(i, 1)));
    return NULL;
}

cc_value cc_emit_shuffle(cc_vec *e, cc_value i)
{
    hc_warp_op kind = cc_functions[cc_function_of(i)].op;
    cc_value lanes = cc_lanes(e, LLVMGetOperand(i, 1)), operand = LLVMGetOperand(i, 2);
    if (cc_same(e, i)) { /* all read one lane */
        cc_value last = cc_int(e->unit->i32, 31);
        cc_value lane = LLVMBuildAnd(e->b, cc_scalar(e, operand), last, "");
        return LLVMBuildExtractElement(e->b, lanes, lane, "");
    }
    cc_value width = cc_lanes(e, LLVMGetOperand(i, 3));
    cc_value source = source_lanes(e, kind, cc_lanes(e, operand), width);
    define_from(e, i, lanes, source);
    return NULL;
}

/* -- Votes, matches, reductions -- */

cc_value cc_emit_ballot(cc_vec *e, cc_value i)
{
    cc_value mask = LLVMGetOperand(i, 0);
    cc_value holds = cc_nonzero(e, cc_lanes(e, LLVMGetOperand(i, 1)));
    if (e->mask)
        holds = cc_both(e, e->mask, holds);
    cc_value bits = cc_bits32(e, holds);
    if (cc_same(e, i))
        return LLVMBuildAnd(e->b, bits, cc_scalar(e, mask), "");
    cc_define(e, i, NULL, LLVMBuildAnd(e->b, cc_splat(e, bits), cc_lanes(e, mask), ""));
    return NULL;
}

cc_value cc_emit_active_mask(cc_vec *e, cc_value i)
{
    (void)i;
    return cc_bits32(e, cc_mask(e));
}

/* In the order of hc_warp_op. */
static const struct {
    const char *intrinsic;
    uint64_t neutral;
} reductions[] = {
    {"llvm.vector.reduce.add", 0},
    {"llvm.vector.reduce.smin", INT32_MAX},
    {"llvm.vector.reduce.smax", 0x80000000},
    {"llvm.vector.reduce.umin", ~0u},
    {"llvm.vector.reduce.umax", 0},
    {"llvm.vector.reduce.and", ~0u},
    {"llvm.vector.reduce.or", 0},
    {"llvm.vector.reduce.xor", 0},
};

static cc_value reduce_named(cc_vec *e, cc_value lanes, cc_value named, cc_value i)
{
    unsigned k = cc_functions[cc_function_of(i)].op - HC_REDUCE_ADD;
    cc_value neutral = cc_splat(e, cc_int(e->unit->i32, reductions[k].neutral));
    cc_type t = LLVMTypeOf(lanes);
    lanes = LLVMBuildSelect(e->b, cc_lanes_of(e, named), lanes, neutral, "");
    return cc_intrinsic(e, reductions[k].intrinsic, &t, 1, &lanes, 1);
}

/* Matches and reductions whose lanes name different masks, for one lane. */
static cc_value warp_lane(cc_vec *e, cc_value i, cc_value *operand, unsigned n,
                          void *data)
{
    cc_value named = operand[0], mine = operand[1];
    (void)n;
    (void)data;
    cc_value lanes = cc_lanes(e, LLVMGetOperand(i, 1));
    named = LLVMBuildAnd(e->b, named, cc_bits32(e, cc_mask(e)), "");
    if (cc_function_of(i) != CC_FN_MATCH_ANY)
        return reduce_named(e, lanes, named, i);
    cc_value same = LLVMBuildICmp(e->b, LLVMIntEQ, lanes, cc_splat(e, mine), "");
    return LLVMBuildAnd(e->b, cc_bits32(e, same), named, "");
}

cc_value cc_emit_match(cc_vec *e, cc_value i)
{
    cc_each_lane(e, i, warp_lane, NULL);
    return NULL;
}

cc_value cc_emit_reduce(cc_vec *e, cc_value i)
{
    if (!cc_same(e, i)) {
        cc_each_lane(e, i, warp_lane, NULL);
        return NULL;
    }
    cc_value named = cc_scalar(e, LLVMGetOperand(i, 0));
    named = LLVMBuildAnd(e->b, named, cc_bits32(e, cc_mask(e)), "");
    return reduce_named(e, cc_lanes(e, LLVMGetOperand(i, 1)), named, i);
}

/* -- Whether to suspend -- */

/* True if a lane that runs names a living lane that is not here. */
static cc_value must_suspend(cc_vec *e, cc_value mask)
{
    cc_unit *u = e->unit;
    cc_value alive = LLVMBuildLoad2(e->b, u->i32, cc_alive(e), "");
    cc_value gone =
        LLVMBuildOr(e->b, cc_bits32(e, cc_exited(e)), cc_bits32(e, e->mask), "");
    cc_value elsewhere = LLVMBuildAnd(e->b, alive, LLVMBuildNot(e->b, gone, ""), "");
    cc_value named = LLVMBuildAnd(e->b, cc_lanes(e, mask), cc_splat(e, elsewhere), "");
    cc_value waits = cc_both(e, e->mask, cc_nonzero(e, named));
    return cc_any(e, waits);
}

cc_value cc_emit_suspend(cc_vec *e, cc_value i)
{
    return e->mask ? must_suspend(e, LLVMGetOperand(i, 0)) : cc_int(e->unit->i1, 0);
}
