/* -ftz=true: denormal numbers of float are zeros of their sign, as operands and as
   results (PTX ISA, .ftz); those of double stay. The processor has a mode for that, but
   for both types: kernels without arithmetic of double run in it (HC_FLUSHES, by
   hostcuda) and cost nothing. In others it is written out. A product that is only
   added to something is left for the two to be fused. */
#include "hostcc/front/front.h"

/* -- Which instructions flush -- */

/* Intrinsics that compute; those that move signs and bits do not flush. */
static bool computes(cc_value call)
{
    static const char *const names[] = {
        "llvm.sqrt.",   "llvm.fma.",       "llvm.fmuladd.", "llvm.minnum.",
        "llvm.maxnum.", "llvm.floor.",     "llvm.ceil.",    "llvm.trunc.",
        "llvm.rint.",   "llvm.nearbyint.", "llvm.round.",   "llvm.roundeven."};
    cc_value f = LLVMGetCalledValue(call);
    for (unsigned k = 0; LLVMIsAFunction(f) && k < sizeof names / sizeof *names; k++)
        if (cc_prefixed(cc_name(f), names[k]))
            return true;
    return false;
}

static bool is_arithmetic(cc_value i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
    case LLVMFCmp:
    case LLVMFPTrunc:
    case LLVMFPExt:
        return true;
    case LLVMCall:
        return computes(i);
    default:
        return false;
    }
}

static bool is_of_double(const cc_unit *u, cc_value i)
{
    bool is_call =
        LLVMIsACallInst(i) && !cc_prefixed(cc_name(LLVMGetCalledValue(i)), "llvm.");
    if (!is_arithmetic(i) && !is_call && !LLVMIsASIToFPInst(i) && !LLVMIsAUIToFPInst(i))
        return false;
    bool is = LLVMTypeOf(i) == u->f64;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
        is |= LLVMTypeOf(LLVMGetOperand(i, k)) == u->f64;
    return is;
}

static bool has_double(const cc_unit *u, cc_value f)
{
    CC_EACH_INST_OF(i, f)
        if (is_of_double(u, i))
            return true;
    return false;
}

/* -- Written out -- */

static cc_value flushed(cc_unit *u, cc_builder b, cc_value x)
{
    cc_value bits = LLVMBuildBitCast(b, x, u->i32, "");
    cc_value exponent = LLVMBuildAnd(b, bits, cc_int(u->i32, 0x7f800000), "");
    cc_value none = LLVMBuildICmp(b, LLVMIntEQ, exponent, cc_int(u->i32, 0), "");
    cc_value sign = LLVMBuildAnd(b, bits, cc_int(u->i32, 0x80000000), "");
    return LLVMBuildBitCast(b, LLVMBuildSelect(b, none, sign, bits, ""), u->f32, "");
}

/* Whether its results, operands being flushed, may be denormal. */
static bool makes_denormals(cc_value i)
{
    const char *name =
        LLVMIsACallInst(i) ? cc_name(LLVMGetCalledValue(i)) : "llvm.fma.";
    return is_arithmetic(i) && !LLVMIsAFCmpInst(i) &&
           (cc_prefixed(name, "llvm.fma.") || cc_prefixed(name, "llvm.fmuladd."));
}

static bool is_to_be_fused(cc_value i)
{
    LLVMUseRef use = LLVMGetFirstUse(i);
    if (!LLVMIsABinaryOperator(i) || LLVMGetInstructionOpcode(i) != LLVMFMul || !use ||
        LLVMGetNextUse(use) || !(LLVMGetFastMathFlags(i) & LLVMFastMathAllowContract))
        return false;
    cc_value user = LLVMGetUser(use);
    LLVMOpcode code = LLVMGetInstructionOpcode(user);
    return (code == LLVMFAdd || code == LLVMFSub) &&
           LLVMGetFastMathFlags(user) & LLVMFastMathAllowContract;
}

static void flush_operands(cc_unit *u, cc_builder b, cc_value i)
{
    unsigned n = LLVMIsACallInst(i) ? cc_nargs(i) : (unsigned)LLVMGetNumOperands(i);
    LLVMPositionBuilderBefore(b, i);
    for (unsigned k = 0; k < n; k++) {
        cc_value x = LLVMGetOperand(i, k);
        bool is_flushed =
            LLVMIsAInstruction(x) &&
            (is_arithmetic(x) || LLVMIsASIToFPInst(x) || LLVMIsAUIToFPInst(x));
        if (LLVMTypeOf(x) == u->f32 && !is_flushed)
            LLVMSetOperand(i, k, flushed(u, b, x));
    }
}

static void flush_result(cc_unit *u, cc_builder b, cc_value i)
{
    if (LLVMTypeOf(i) != u->f32 || !makes_denormals(i) || is_to_be_fused(i))
        return;
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(i));
    cc_value stand_in = LLVMBuildFreeze(b, i, "");
    LLVMReplaceAllUsesWith(i, stand_in);
    LLVMSetOperand(stand_in, 0, i);
    LLVMReplaceAllUsesWith(stand_in, flushed(u, b, i));
    LLVMInstructionEraseFromParent(stand_in);
}

static void write_out(cc_unit *u, cc_value f)
{
    static const char name[] = "denormal-fp-math-f32"; /* LLVM may not rely on it */
    cc_builder b = LLVMCreateBuilderInContext(u->context);
    LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name,
                                     sizeof name - 1);
    CC_EACH_INST_OF(i, f)
        if (is_arithmetic(i))
            flush_operands(u, b, i);
    CC_EACH_INST_OF(i, f)
        flush_result(u, b, i);
}

void cc_flush_denormals(cc_unit *u)
{
    bool shared = false; /* arithmetic of double in a function that kernels call */
    if (!u->options->flushes)
        return;
    for (cc_value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!cc_is_kernel(u, f) && !LLVMIsDeclaration(f)) {
            shared |= has_double(u, f);
            write_out(u, f);
        }
    for (unsigned k = 0; k < u->nkernels; k++) {
        cc_kernel *kernel = &u->kernels[k];
        kernel->flushes = !shared && !has_double(u, kernel->function);
        if (!kernel->flushes)
            write_out(u, kernel->function);
    }
}
