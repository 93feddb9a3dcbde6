/* Behaviour that C++ leaves undefined and every GPU defines, so that programs have come
   to rely on it. The rest is clang's options (frontend.c: aliases of other types,
   functions without a return, unset arguments) and instructions.c's (divisions by
   zero). Comes before any pass that could draw conclusions. */
#include "hostcc/front/front.h"

#include <math.h>

/* A shift by as many bits as there are, or more, leaves no bit of the value. */
static void bound_shift(cc_builder b, cc_value i, bool arithmetic)
{
    cc_type t = LLVMTypeOf(i);
    cc_value by = LLVMGetOperand(i, 1);
    if (cc_kind(t) != LLVMIntegerTypeKind || LLVMIsAConstantInt(by))
        return;
    unsigned bits = LLVMGetIntTypeWidth(t);
    LLVMPositionBuilderBefore(b, i);
    cc_value fits = LLVMBuildICmp(b, LLVMIntULT, by, cc_int(t, bits), "");
    if (arithmetic) {
        LLVMSetOperand(i, 1, LLVMBuildSelect(b, fits, by, cc_int(t, bits - 1), ""));
        return;
    }
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(i));
    cc_value bounded = LLVMBuildSelect(b, fits, i, cc_int(t, 0), "");
    LLVMReplaceAllUsesWith(i, bounded);
    LLVMSetOperand(bounded, 1, i);
}

/* Products with the large factors of hashes and random numbers wrap around, whatever
   their sign. Indices, whose factors are small, keep the promise that they do not: it
   makes their addresses cheap. */
#define LARGE 4096

static void wrap_product(cc_value i)
{
    for (unsigned k = 0; k < 2; k++) {
        cc_value factor = LLVMGetOperand(i, k);
        if (!LLVMIsAConstantInt(factor) || LLVMGetIntTypeWidth(LLVMTypeOf(factor)) > 64)
            continue;
        long long by = LLVMConstIntGetSExtValue(factor);
        if (by >= LARGE || by <= -LARGE)
            LLVMSetNSW(i, 0);
    }
}

/* A number too large for an integer becomes the nearest; NaN becomes 0, or the highest
   bit where double or 64 bits are involved (PTX ISA, cvt); integers of less than 32
   bits are cut out of one of 32. Written out, because LLVM's own intrinsics for this
   become one conversion a lane. */
static void clamp_conversion(cc_unit *u, cc_builder b, cc_value i, bool is_signed)
{
    cc_value x = LLVMGetOperand(i, 0);
    cc_type to = LLVMTypeOf(i), from = LLVMTypeOf(x);
    if (cc_kind(to) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(to) > 64)
        return;
    cc_type t = LLVMGetIntTypeWidth(to) < 32 ? u->i32 : to;
    unsigned bits = LLVMGetIntTypeWidth(t) - is_signed;
    cc_value most = cc_int(t, ~0ull >> (64 - bits));
    cc_value least = is_signed ? LLVMConstNot(most) : cc_int(t, 0);
    bool is_wide = bits > 32 || cc_kind(from) == LLVMDoubleTypeKind;
    cc_value of_nan = cc_int(t, is_wide ? 1ull << (bits + is_signed - 1) : 0);
    cc_value end = LLVMConstReal(from, ldexp(1, (int)bits));
    cc_value low = LLVMConstReal(from, is_signed ? -ldexp(1, (int)bits) : 0);
    LLVMPositionBuilderBefore(b, i);
    cc_value r = LLVMBuildCast(b, LLVMGetInstructionOpcode(i), x, t, "");
    cc_value above = LLVMBuildFCmp(b, LLVMRealOGE, x, end, "");
    r = LLVMBuildSelect(b, above, most, r, "");
    cc_value below = LLVMBuildFCmp(b, LLVMRealOLE, x, low, "");
    r = LLVMBuildSelect(b, below, least, r, "");
    r = LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealORD, x, x, ""), r, of_nan, "");
    LLVMReplaceAllUsesWith(i, LLVMBuildTruncOrBitCast(b, r, to, ""));
    LLVMInstructionEraseFromParent(i);
}

/* A bool in memory is true unless its byte is 0. */
static void read_bool(cc_unit *u, cc_builder b, cc_value i)
{
    cc_value byte = LLVMGetOperand(i, 0);
    if (LLVMTypeOf(i) != u->i1 || LLVMTypeOf(byte) != u->i8 || !LLVMIsALoadInst(byte))
        return;
    LLVMSetMetadata(byte, LLVMGetMDKindIDInContext(u->context, "range", 5), NULL);
    LLVMPositionBuilderBefore(b, i);
    LLVMReplaceAllUsesWith(i,
                           LLVMBuildICmp(b, LLVMIntNE, byte, LLVMConstNull(u->i8), ""));
    LLVMInstructionEraseFromParent(i);
}

void cc_define_behaviour(cc_unit *u)
{
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        CC_EACH_INST_OF(i, f) {
            switch (LLVMGetInstructionOpcode(i)) {
            case LLVMShl:
            case LLVMLShr:
                bound_shift(b, i, false);
                break;
            case LLVMAShr:
                bound_shift(b, i, true);
                break;
            case LLVMMul:
                wrap_product(i);
                break;
            case LLVMFPToSI:
                clamp_conversion(u, b, i, true);
                break;
            case LLVMFPToUI:
                clamp_conversion(u, b, i, false);
                break;
            case LLVMTrunc:
                read_bool(u, b, i);
                break;
            default:
                break;
            }
        }
}
