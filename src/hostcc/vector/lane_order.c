/* Comparisons of evenly spaced lanes with a value that is the same in all: what holds
   for every lane, or for none, follows from lane 0 and the distance from lane to lane.
   Of others the bits are looked at. */
#include "hostcc/vector/vector.h"

/* An order of integers as bits: LLVM counts UGT UGE ULT ULE, then the signed ones. */
enum { OR_EQUAL = 1, LESS = 2, SIGNED = 4 };

/* Whether a, whose lanes are `stride` apart, and the uniform b are in this order in
   every lane, asked of lane 0 alone; false also where lanes wrap around. Lanes run
   towards b or away from it: then b, or the end of the type's range, must be out of
   reach. */
static cc_value all_in_order(cc_vec *e, unsigned order, cc_value a, cc_value b,
                             int64_t stride)
{
    cc_type t = LLVMTypeOf(a);
    bool up = stride > 0, towards = up == ((order & LESS) != 0);
    uint64_t reach = (uint64_t)(up ? stride : -stride) * (e->width - 1);
    uint64_t most = ~0ull >> (64 - LLVMGetIntTypeWidth(t)), end = up ? most : 0;
    if (order & SIGNED)
        end = up ? most >> 1 : most ^ most >> 1;
    cc_value goal = towards ? b : cc_int(t, end);
    cc_value room = LLVMBuildSub(e->b, up ? goal : a, up ? a : goal, "");
    bool may_touch = !towards || order & OR_EQUAL;
    cc_value far = LLVMBuildICmp(e->b, may_touch ? LLVMIntUGE : LLVMIntUGT, room,
                                 cc_int(t, reach), "");
    cc_value first = LLVMBuildICmp(e->b, LLVMIntUGT + order, a, b, "");
    return LLVMBuildAnd(e->b, first, far, "");
}

/* Whether none of a's lanes is b. */
static cc_value none_equal(cc_vec *e, cc_value a, cc_value b, int64_t stride)
{
    uint64_t reach = (uint64_t)(stride > 0 ? stride : -stride) * (e->width - 1);
    cc_value room = LLVMBuildSub(e->b, stride > 0 ? b : a, stride > 0 ? a : b, "");
    return LLVMBuildICmp(e->b, LLVMIntUGT, room, cc_int(LLVMTypeOf(a), reach), "");
}

bool cc_ask_one_lane(cc_vec *e, cc_value c, cc_value *all, cc_value *none)
{
    if (!LLVMIsAICmpInst(c))
        return false;
    LLVMIntPredicate p = LLVMGetICmpPredicate(c);
    unsigned order = p - LLVMIntUGT;
    cc_value a = LLVMGetOperand(c, 0), b = LLVMGetOperand(c, 1), swap = a;
    if (cc_same(e, a)) {
        a = b;
        b = swap;
        order ^= LESS;
    }
    cc_uniformity s = cc_uniformity_of(e->uniformity, a);
    cc_type t = LLVMTypeOf(a);
    if (s.kind != CC_AFFINE || s.inexact || !cc_same(e, b) || !cc_is_at_hand(e, a) ||
        !cc_is_at_hand(e, b) || (!cc_is_int(t, 32) && !cc_is_int(t, 64)) ||
        s.stride != (int16_t)s.stride)
        return false;
    if (p == LLVMIntEQ || p == LLVMIntNE) {
        cc_value apart = none_equal(e, cc_scalar(e, a), cc_scalar(e, b), s.stride);
        *all = p == LLVMIntNE ? apart : cc_int(e->unit->i1, 0);
        *none = p == LLVMIntEQ ? apart : cc_int(e->unit->i1, 0);
        return true;
    }
    *all = all_in_order(e, order, cc_scalar(e, a), cc_scalar(e, b), s.stride);
    order ^= OR_EQUAL | LESS;
    *none = all_in_order(e, order, cc_scalar(e, a), cc_scalar(e, b), s.stride);
    return true;
}

bool cc_holds_in_a_row(cc_vec *e, cc_value c)
{
    if (cc_same(e, c))
        return true;
    if (LLVMIsAICmpInst(c)) {
        LLVMIntPredicate p = LLVMGetICmpPredicate(c);
        cc_uniformity a = cc_uniformity_of(e->uniformity, LLVMGetOperand(c, 0)),
                      b = cc_uniformity_of(e->uniformity, LLVMGetOperand(c, 1));
        return p != LLVMIntNE && a.kind == CC_AFFINE && b.kind == CC_AFFINE;
    }
    if (!LLVMIsAInstruction(c))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(c);
    if (op == LLVMAnd)
        return cc_holds_in_a_row(e, LLVMGetOperand(c, 0)) &&
               cc_holds_in_a_row(e, LLVMGetOperand(c, 1));
    /* a && b */
    return op == LLVMSelect && cc_is_int(LLVMTypeOf(LLVMGetOperand(c, 0)), 1) &&
           LLVMIsAConstantInt(LLVMGetOperand(c, 2)) &&
           !LLVMConstIntGetZExtValue(LLVMGetOperand(c, 2)) &&
           cc_holds_in_a_row(e, LLVMGetOperand(c, 0)) &&
           cc_holds_in_a_row(e, LLVMGetOperand(c, 1));
}

cc_value cc_emit_every(cc_vec *e, cc_value i)
{
    cc_value c = LLVMGetOperand(i, 0), all, none;
    if (!e->mask && cc_ask_one_lane(e, c, &all, &none))
        return all;
    cc_value lanes = cc_lanes(e, c);
    if (e->mask)
        lanes = LLVMBuildOr(e->b, lanes, LLVMBuildNot(e->b, e->mask, ""), "");
    cc_value bits = cc_mask_bits(e, lanes);
    return LLVMBuildICmp(e->b, LLVMIntEQ, bits, LLVMConstAllOnes(LLVMTypeOf(bits)), "");
}
