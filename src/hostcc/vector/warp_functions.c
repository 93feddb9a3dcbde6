/* Warp functions where all named lanes are in the vector at once: a vector is a warp,
   so they are vector instructions. Where some named lane is elsewhere, the states pass
   has put a question (hc.suspend) before the call, and hostcuda's scheduler does the
   work instead. */
#include "hostcc/vector/vector.h"

#include <stddef.h>

/* Lanes l of the result: v[index[l]], through memory. */
static val permute(cc_vec *e, val v, val index)
{
    cc_unit *u = e->unit;
    type t = LLVMGetElementType(LLVMTypeOf(v));
    val memory = cc_stack(e, LLVMTypeOf(v), "permute");
    LLVMBuildStore(e->b, v, memory);
    val at = LLVMBuildGEP2(e->b, t, memory, &index, 1, "");
    type overload[] = {LLVMTypeOf(v), LLVMTypeOf(at)};
    val args[] = {at, cc_int(u->i32, cc_sizeof(u, t)), cc_splat(e, cc_int(u->i1, 1)),
                  LLVMGetPoison(LLVMTypeOf(v))};
    return cc_intrinsic(e, "llvm.masked.gather", overload, 2, args, 4);
}

/* -- Shuffles -- */

/* Which lane each lane reads; out of its segment it reads itself. LLVM folds what is
   constant. */
static val source_lanes(cc_vec *e, hc_warp_op kind, val operand, val width)
{
    type i32 = e->unit->i32;
    builder b = e->b;
    val l = cc_lane_numbers(e, i32), one = cc_splat(e, cc_int(i32, 1));
    val low = LLVMBuildSub(b, width, one, ""), in = LLVMBuildAnd(b, l, low, ""), source,
        ok;
    if (kind == HC_SHUFFLE_INDEX) {
        val base = LLVMBuildAnd(b, l, LLVMBuildNot(b, low, ""), "");
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

val cc_emit_shuffle(cc_vec *e, val i)
{
    hc_warp_op kind = cc_functions[cc_function_of(i)].op;
    val lanes = cc_lanes(e, LLVMGetOperand(i, 1)), operand = LLVMGetOperand(i, 2);
    val last = cc_int(e->unit->i32, 31);
    if (cc_same(e, i)) { /* all read one lane */
        val lane = LLVMBuildAnd(e->b, cc_scalar(e, operand), last, "");
        return LLVMBuildExtractElement(e->b, lanes, lane, "");
    }
    val width = cc_lanes(e, LLVMGetOperand(i, 3));
    val source = source_lanes(e, kind, cc_lanes(e, operand), width);
    source = LLVMBuildAnd(e->b, source, cc_splat(e, last), "");
    val none = LLVMGetPoison(LLVMTypeOf(lanes));
    cc_define(e, i, NULL,
              LLVMIsConstant(source)
                  ? LLVMBuildShuffleVector(e->b, lanes, none, source, "")
                  : permute(e, lanes, source));
    return NULL;
}

/* -- Votes, matches, reductions -- */

val cc_emit_ballot(cc_vec *e, val i)
{
    val mask = LLVMGetOperand(i, 0);
    val holds = cc_nonzero(e, cc_lanes(e, LLVMGetOperand(i, 1)));
    if (e->mask)
        holds = cc_both(e, e->mask, holds);
    val bits = cc_bits32(e, holds);
    if (cc_same(e, i))
        return LLVMBuildAnd(e->b, bits, cc_scalar(e, mask), "");
    cc_define(e, i, NULL, LLVMBuildAnd(e->b, cc_splat(e, bits), cc_lanes(e, mask), ""));
    return NULL;
}

val cc_emit_active_mask(cc_vec *e, val i)
{
    (void)i;
    return cc_bits32(e, cc_mask(e));
}

/* Lanes of a vector are always in step. */
val cc_emit_nothing(cc_vec *e, val i)
{
    (void)e;
    (void)i;
    return NULL;
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

static val reduce_named(cc_vec *e, val lanes, val named, val i)
{
    unsigned k = cc_functions[cc_function_of(i)].op - HC_REDUCE_ADD;
    val neutral = cc_splat(e, cc_int(e->unit->i32, reductions[k].neutral));
    type t = LLVMTypeOf(lanes);
    lanes = LLVMBuildSelect(e->b, cc_lanes_of(e, named), lanes, neutral, "");
    return cc_intrinsic(e, reductions[k].intrinsic, &t, 1, &lanes, 1);
}

/* Matches and reductions whose lanes name different masks, for one lane. */
static val warp_lane(cc_vec *e, val i, val *operand, unsigned n, void *data)
{
    val named = operand[0], mine = operand[1];
    (void)n;
    (void)data;
    val lanes = cc_lanes(e, LLVMGetOperand(i, 1));
    named = LLVMBuildAnd(e->b, named, cc_bits32(e, cc_mask(e)), "");
    if (cc_function_of(i) != CC_FN_MATCH_ANY)
        return reduce_named(e, lanes, named, i);
    val same = LLVMBuildICmp(e->b, LLVMIntEQ, lanes, cc_splat(e, mine), "");
    return LLVMBuildAnd(e->b, cc_bits32(e, same), named, "");
}

val cc_emit_match(cc_vec *e, val i)
{
    cc_each_lane(e, i, warp_lane, NULL);
    return NULL;
}

val cc_emit_reduce(cc_vec *e, val i)
{
    if (!cc_same(e, i)) {
        cc_each_lane(e, i, warp_lane, NULL);
        return NULL;
    }
    val named = cc_scalar(e, LLVMGetOperand(i, 0));
    named = LLVMBuildAnd(e->b, named, cc_bits32(e, cc_mask(e)), "");
    return reduce_named(e, cc_lanes(e, LLVMGetOperand(i, 1)), named, i);
}

/* -- Whether to wait -- */

/* True if a lane that runs names a living lane that is not here. */
static val must_suspend(cc_vec *e, val mask)
{
    cc_unit *u = e->unit;
    val alive = LLVMBuildLoad2(e->b, u->i32, cc_alive(e), "");
    val gone = LLVMBuildOr(e->b, cc_bits32(e, cc_exited(e)), cc_bits32(e, e->mask), "");
    val elsewhere = LLVMBuildAnd(e->b, alive, LLVMBuildNot(e->b, gone, ""), "");
    val named = LLVMBuildAnd(e->b, cc_lanes(e, mask), cc_splat(e, elsewhere), "");
    val waits = cc_both(e, e->mask, cc_nonzero(e, named));
    return cc_any(e, waits);
}

val cc_emit_suspend(cc_vec *e, val i)
{
    return e->mask ? must_suspend(e, LLVMGetOperand(i, 0)) : cc_int(e->unit->i1, 0);
}
