/* A value of one lane in a register of its own, for code that does one lane after the
   other without a loop.

   Addresses base[index] are computed lane by lane, which costs nothing: the processor
   adds as it accesses. So indices leave their vector, which are narrower. What was just
   loaded from neighbouring places for this alone needs no vector: each lane loads its
   own. Others leave as words of 64 bits that are then cut up: 16 bytes are two words,
   while each lane on its own takes two instructions to leave. */
#include "hostcc/vector/vector.h"
#include "hostcc/ir/addresses.h"

#define WORD 64 /* bits */

/* Bits first..first + bits - 1 of a word, widened to all of it. Not by way of a
   narrower type: LLVM would take the lane out of its vector again. */
static cc_value cut(cc_vec *e, cc_value word, unsigned first, unsigned bits,
                    bool is_signed)
{
    cc_type i64 = e->unit->i64;
    unsigned behind = WORD - bits - first;
    if (is_signed) {
        word = LLVMBuildShl(e->b, word, cc_int(i64, behind), "");
        return LLVMBuildAShr(e->b, word, cc_int(i64, WORD - bits), "");
    }
    word = LLVMBuildLShr(e->b, word, cc_int(i64, first), "");
    return behind ? LLVMBuildAnd(e->b, word, cc_int(i64, (1ull << bits) - 1), "")
                  : word;
}

static bool has_one_use(cc_value v)
{
    LLVMUseRef use = LLVMGetFirstUse(v);
    return use && !LLVMGetNextUse(use);
}

static bool is_first_to_write(cc_value i, cc_value load)
{
    cc_value next = LLVMGetNextInstruction(load);
    while (next && next != i && !cc_may_write(next))
        next = LLVMGetNextInstruction(next);
    return next == i;
}

/* Whether each lane may as well load the value when i, which is its turn, needs it. */
static bool is_loaded_for(cc_vec *e, cc_value i, cc_value v)
{
    if (!LLVMIsALoadInst(v) || cc_is_ordered(v) || !has_one_use(v) ||
        cc_is_shared(LLVMGetOperand(v, 0)))
        return false;
    cc_uniformity s = cc_uniformity_of(e->uniformity, LLVMGetOperand(v, 0));
    return s.kind == CC_AFFINE &&
           s.stride == (int64_t)cc_sizeof(e->unit, LLVMTypeOf(v)) &&
           is_first_to_write(i, v);
}

static cc_value load_lane(cc_vec *e, cc_value load, unsigned lane)
{
    cc_type t = LLVMTypeOf(load);
    cc_value at = cc_int(e->unit->i64, (uint64_t)lane * cc_sizeof(e->unit, t)),
             p = cc_scalar(e, LLVMGetOperand(load, 0));
    p = LLVMBuildGEP2(e->b, e->unit->i8, p, &at, 1, "");
    cc_value v = LLVMBuildLoad2(e->b, t, p, "");
    LLVMSetAlignment(v, LLVMGetAlignment(load));
    return v;
}

/* Of an index that was widened to 64 bits; NULL: v is none. */
static cc_value widened(cc_vec *e, cc_value i, cc_value v, unsigned lane)
{
    bool is_signed = LLVMIsASExtInst(v) != NULL;
    cc_value narrow = LLVMIsAZExtInst(v) || is_signed ? LLVMGetOperand(v, 0) : NULL;
    cc_type i64 = e->unit->i64;
    unsigned bits = narrow ? LLVMGetIntTypeWidth(LLVMTypeOf(narrow)) : 0;
    if ((bits != 8 && bits != 16 && bits != 32) || LLVMTypeOf(v) != i64 ||
        e->width * bits % WORD || !cc_is_at_hand(e, narrow))
        return NULL;
    if (is_loaded_for(e, i, narrow)) {
        cc_value one = load_lane(e, narrow, lane);
        return is_signed ? LLVMBuildSExt(e->b, one, i64, "")
                         : LLVMBuildZExt(e->b, one, i64, "");
    }
    unsigned each = WORD / bits;
    cc_type words = LLVMVectorType(i64, e->width / each);
    cc_value all = LLVMBuildBitCast(e->b, cc_lanes(e, narrow), words, "");
    cc_value word = LLVMBuildExtractElement(e->b, all, cc_int(i64, lane / each), "");
    return cut(e, word, lane % each * bits, bits, is_signed);
}

/* base[index], where only one index differs from lane to lane. */
static cc_value address(cc_vec *e, cc_value i, cc_value v, unsigned lane)
{
    cc_value operand[4];
    unsigned n = (unsigned)LLVMGetNumOperands(v), varying = 0;
    if (!LLVMIsAGetElementPtrInst(v) || n > 4)
        return NULL;
    for (unsigned k = 0; k < n; k++) {
        cc_value x = LLVMGetOperand(v, k);
        if (!cc_is_at_hand(e, x) || (!cc_same(e, x) && (!k || varying)))
            return NULL;
        varying = cc_same(e, x) ? varying : k;
    }
    if (!varying)
        return NULL;
    for (unsigned k = 0; k < n; k++)
        operand[k] = cc_lane_scalar(e, i, LLVMGetOperand(v, k), lane);
    return LLVMBuildGEP2(e->b, LLVMGetGEPSourceElementType(v), operand[0], operand + 1,
                         n - 1, "");
}

cc_value cc_lane_scalar(cc_vec *e, cc_value i, cc_value v, unsigned lane)
{
    cc_value one;
    if (cc_same(e, v))
        return cc_scalar(e, v);
    if ((one = address(e, i, v, lane)) || (one = widened(e, i, v, lane)))
        return one;
    return LLVMBuildExtractElement(e->b, cc_lanes(e, v), cc_int(e->unit->i64, lane),
                                   "");
}
