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

/* Whether a comparison has that value in all lanes; NULL: lane 0 does not tell. */
static cc_value ask_comparison(cc_vec *e, cc_value c, bool value)
{
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
        return NULL;
    if (p == LLVMIntEQ || p == LLVMIntNE)
        return value == (p == LLVMIntNE)
                   ? none_equal(e, cc_scalar(e, a), cc_scalar(e, b), s.stride)
                   : cc_int(e->unit->i1, 0);
    if (!value)
        order ^= OR_EQUAL | LESS;
    return all_in_order(e, order, cc_scalar(e, a), cc_scalar(e, b), s.stride);
}

bool cc_is_joined(cc_value c, bool by_and, cc_value part[2])
{
    LLVMOpcode op = LLVMIsAInstruction(c) ? LLVMGetInstructionOpcode(c) : LLVMRet;
    if (op == (by_and ? LLVMAnd : LLVMOr)) {
        part[0] = LLVMGetOperand(c, 0);
        part[1] = LLVMGetOperand(c, 1);
        return true;
    }
    if (op != LLVMSelect || !cc_is_int(LLVMTypeOf(LLVMGetOperand(c, 0)), 1))
        return false;
    cc_value decided = LLVMGetOperand(c, by_and ? 2 : 1);
    part[0] = LLVMGetOperand(c, 0);
    part[1] = LLVMGetOperand(c, by_and ? 1 : 2);
    return LLVMIsAConstantInt(decided) &&
           (bool)LLVMConstIntGetZExtValue(decided) == !by_and;
}

/* Whether a condition is joined of others, either way. */
static bool has_parts(cc_value c, cc_value part[2])
{
    return cc_is_joined(c, true, part) || cc_is_joined(c, false, part);
}

static void note(const cc_vec *e, cc_value v, bool *asked)
{
    int number = cc_map_get(e->uniformity->numbers, v);
    if (number >= 0)
        asked[number] = true;
}

#define MOST_DEEP 8 /* conditions within conditions */

static void note_condition(const cc_vec *e, cc_value c, unsigned depth, bool *asked)
{
    cc_value part[2];
    if (cc_same(e, c)) {
        note(e, c, asked);
    } else if (LLVMIsAICmpInst(c) || (depth < MOST_DEEP && has_parts(c, part))) {
        bool joined = !LLVMIsAICmpInst(c);
        for (unsigned k = 0; k < 2; k++) {
            if (joined)
                note_condition(e, part[k], depth + 1, asked);
            else
                note(e, LLVMGetOperand(c, k), asked);
        }
    }
}

const bool *cc_values_to_ask(const cc_vec *e)
{
    bool *asked = cc_alloc(e->uniformity->count + 1);
    for (unsigned k = 0; k < e->uniformity->count; k++)
        if (cc_function_of(e->uniformity->value[k]) == CC_FN_EVERY)
            note_condition(e, LLVMGetOperand(e->uniformity->value[k], 0), 0, asked);
    for (unsigned i = 0; i < e->cfg->n; i++)
        if (e->cfg->node[i].varying_branch)
            note_condition(e, LLVMGetCondition(e->cfg->node[i].terminator), 0, asked);
    return asked;
}

static cc_value ask(cc_vec *e, cc_value c, unsigned depth, bool value)
{
    cc_value part[2], of[2];
    if (cc_same(e, c)) {
        if (!cc_is_at_hand(e, c))
            return NULL;
        return value ? cc_scalar(e, c) : LLVMBuildNot(e->b, cc_scalar(e, c), "");
    }
    if (LLVMIsAICmpInst(c))
        return ask_comparison(e, c, value);
    /* The second question may have no meaning unless the first answer is yes. */
    if (depth == MOST_DEEP || !cc_is_joined(c, value, part) ||
        !(of[0] = ask(e, part[0], depth + 1, value)) ||
        !(of[1] = ask(e, part[1], depth + 1, value)))
        return NULL;
    return LLVMBuildSelect(e->b, of[0], of[1], cc_int(e->unit->i1, 0), "");
}

cc_value cc_ask_one_lane(cc_vec *e, cc_value c, bool value)
{
    return ask(e, c, 0, value);
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
    cc_value part[2];
    return cc_is_joined(c, true, part) && cc_holds_in_a_row(e, part[0]) &&
           cc_holds_in_a_row(e, part[1]);
}

cc_value cc_emit_every(cc_vec *e, cc_value i)
{
    cc_value c = LLVMGetOperand(i, 0),
             all = e->mask ? NULL : cc_ask_one_lane(e, c, true);
    if (all)
        return all;
    cc_value lanes = cc_lanes(e, c);
    if (e->mask)
        lanes = LLVMBuildOr(e->b, lanes, LLVMBuildNot(e->b, e->mask, ""), "");
    cc_value bits = cc_mask_bits(e, lanes);
    return LLVMBuildICmp(e->b, LLVMIntEQ, bits, LLVMConstAllOnes(LLVMTypeOf(bits)), "");
}
