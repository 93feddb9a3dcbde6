/* A value of each lane in a register of its own, for code that does one lane after the
   other without a loop.

   Addresses base[index] are computed lane by lane, which costs nothing: the processor
   adds as it accesses. So indices leave their vector, which are narrower, and as words
   of 64 bits that are then cut up: 16 bytes are two words, while each lane on its own
   takes two instructions to leave. */
#include "hostcc/vector/vector.h"

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

/* Of an index that was widened to 64 bits; false: v is none. */
static bool widened(cc_vec *e, cc_value v, cc_value one[HC_LANES])
{
    cc_value narrow =
        LLVMIsAZExtInst(v) || LLVMIsASExtInst(v) ? LLVMGetOperand(v, 0) : NULL;
    cc_type i64 = e->unit->i64;
    unsigned bits = narrow ? LLVMGetIntTypeWidth(LLVMTypeOf(narrow)) : 0;
    if ((bits != 8 && bits != 16 && bits != 32) || LLVMTypeOf(v) != i64 ||
        e->width * bits % WORD || !cc_is_at_hand(e, narrow))
        return false;
    unsigned each = WORD / bits;
    cc_type words = LLVMVectorType(i64, e->width / each);
    cc_value all = LLVMBuildBitCast(e->b, cc_lanes(e, narrow), words, ""), word = NULL;
    for (unsigned l = 0; l < e->width; l++) {
        if (l % each == 0)
            word = LLVMBuildExtractElement(e->b, all, cc_int(i64, l / each), "");
        one[l] = cut(e, word, l % each * bits, bits, LLVMIsASExtInst(v) != NULL);
    }
    return true;
}

/* base[index], where only one index differs from lane to lane. */
static bool address(cc_vec *e, cc_value v, cc_value one[HC_LANES])
{
    cc_value index[HC_LANES], operand[4];
    unsigned n = (unsigned)LLVMGetNumOperands(v), varying = 0;
    if (!LLVMIsAGetElementPtrInst(v) || n > 4)
        return false;
    for (unsigned k = 0; k < n; k++) {
        cc_value x = LLVMGetOperand(v, k);
        if (!cc_is_at_hand(e, x) || (!cc_same(e, x) && (!k || varying)))
            return false;
        varying = cc_same(e, x) ? varying : k;
    }
    if (!varying)
        return false;
    for (unsigned k = 0; k < n; k++)
        if (k != varying)
            operand[k] = cc_scalar(e, LLVMGetOperand(v, k));
    cc_lane_scalars(e, LLVMGetOperand(v, varying), index);
    for (unsigned l = 0; l < e->width; l++) {
        operand[varying] = index[l];
        one[l] = LLVMBuildGEP2(e->b, LLVMGetGEPSourceElementType(v), operand[0],
                               operand + 1, n - 1, "");
    }
    return true;
}

void cc_lane_scalars(cc_vec *e, cc_value v, cc_value one[HC_LANES])
{
    if (cc_same(e, v)) {
        for (unsigned l = 0; l < e->width; l++)
            one[l] = cc_scalar(e, v);
        return;
    }
    if (address(e, v, one) || widened(e, v, one))
        return;
    cc_value all = cc_lanes(e, v);
    for (unsigned l = 0; l < e->width; l++)
        one[l] = LLVMBuildExtractElement(e->b, all, cc_int(e->unit->i64, l), "");
}
